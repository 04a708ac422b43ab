// Small pictures of gallery scenes, one a file of `pictures/`: `bouncing-ball.webp` serves all scenes whose names begin so.
const FILES = import.meta.glob<string>("./pictures/*.webp", { eager: true, import: "default", query: "?inline" });

const PICTURES = Object.entries(FILES).map(([path, address]) => ({ name: path.replace(/^.*\/|\.webp$/g, ""), address }));

/** The picture of a scene as an address. */
export function pictureOf(scene: string): string | undefined {
    return PICTURES.find(({ name }) => scene === name || scene.startsWith(`${name}-`))?.address;
}
