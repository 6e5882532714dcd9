import { readFile } from 'node:fs/promises';

const SOURCE = new URL('convert.as', import.meta.url);

/**
 * Compiles convert.as, and tells the whole text of the file i420-wasm.ts beside it.
 * @throws Error with what the compiler says
 */
export async function i420WasmFile(): Promise<string> {
  return `/** The compiled convert.as: written by \`npm run generate\`. */\nexport const I420_WASM =\n  '${(await compile()).toString('base64')}';\n`;
}

async function compile(): Promise<Buffer> {
  // Only who builds the product has the compiler.
  const { default: compiler } = await import('assemblyscript/asc');
  const source = await readFile(SOURCE, 'utf8');
  let wasm: Buffer | undefined;
  const { error, stderr } = await compiler.main(['convert.ts', '--outFile', 'convert.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'convert.ts' ? source : null),
    writeFile: (_name, contents) => {
      wasm = Buffer.from(contents);
    },
    listFiles: () => null,
  });
  if (error || !wasm) throw new Error(`convert.as does not compile: ${stderr.toString()}`, { cause: error });
  return wasm;
}

// Without a collector and a heap: the caller says where everything is.
const OPTIONS = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--runtime', 'stub', '--noAssert', '--importMemory'],
  ...['--enable', 'simd', '--use', 'abort='],
];
