// Small pictures of gallery scenes, by the scene's name: every file of `pictures/` is one.
const FILES = import.meta.glob<string>("./pictures/*.webp", { eager: true, import: "default", query: "?inline" });

export const PICTURES: Record<string, string> = Object.fromEntries(
    Object.entries(FILES).map(([path, address]) => [path.replace(/^.*\/|\.webp$/g, ""), address]),
);
