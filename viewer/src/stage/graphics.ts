// Whether there is a graphics card: without one pictures are made by the processor, and shadows cost too much.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let known: boolean | undefined;

export function hasGraphicsCard(): boolean {
    return (known ??= findGraphicsCard());
}

function findGraphicsCard(): boolean {
    const context = document.createElement("canvas").getContext("webgl2");
    const names = context?.getExtension("WEBGL_debug_renderer_info");
    const card = context && names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return !SOFTWARE.test(card);
}
