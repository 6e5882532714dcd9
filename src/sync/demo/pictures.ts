import hashes from './pictures/pictures.json' with { type: 'json' };

/** The pictures of the demo store's products: `npm run pictures:demo` draws them. */
export const DEMO_PICTURES: ReadonlyMap<string, { readonly sha256: string; readonly file: URL }> = new Map(
  Object.entries(hashes).map(([name, sha256]) => [
    name,
    { sha256, file: new URL(`./pictures/${name}.webp`, import.meta.url) },
  ]),
);
