// node bundle.mjs <public folder> <folder for the bundle>
import { bundle } from '@remotion/bundler';

const [, , publicDir, outDir] = process.argv;
await bundle({ entryPoint: new URL('index.jsx', import.meta.url).pathname, publicDir, outDir });
