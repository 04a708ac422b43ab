// Closed bodies of many triangles where the processor makes the pictures: lit at their vertices, which lie a few pixels apart. The light of each
// pixel by itself looks the same there and costs more.
import { FrontSide, type MaterialParameters, ShaderMaterial, UniformsLib, UniformsUtils } from "three";

/** The studio's two lights and no shadows. */
const VERTEX = `
    #include <colorspace_pars_fragment>
    struct Sky { vec3 direction; vec3 skyColor; vec3 groundColor; };
    struct Key { vec3 direction; vec3 color; };
    uniform Sky hemisphereLights[1];
    uniform Key directionalLights[1];
    varying vec3 seen;
    void main() {
        vec3 n = normalize(normalMatrix * normal);
        float above = 0.5 + 0.5 * dot(n, hemisphereLights[0].direction);
        vec3 light = mix(hemisphereLights[0].groundColor, hemisphereLights[0].skyColor, above);
        light += max(dot(n, directionalLights[0].direction), 0.0) * directionalLights[0].color;
        seen = sRGBTransferOETF(vec4(0.3183098862 * light * color, 1.0)).rgb;
        gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
    }`;

const FRAGMENT = `
    varying vec3 seen;
    void main() {
        gl_FragColor = vec4(seen, 1.0);
    }`;

export class PlainMaterial extends ShaderMaterial {
    constructor({ polygonOffset = false, polygonOffsetFactor = 0, polygonOffsetUnits = 0 }: MaterialParameters) {
        super({
            uniforms: UniformsUtils.clone(UniformsLib.lights), lights: true, vertexColors: true, side: FrontSide,
            vertexShader: VERTEX, fragmentShader: FRAGMENT, polygonOffset, polygonOffsetFactor, polygonOffsetUnits,
        });
    }
}
