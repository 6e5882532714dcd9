// Neither package has types of its own.
declare module 'subset-font' {
  type Options = {
    readonly targetFormat: 'truetype' | 'woff2';
    readonly keepAllGlyphs?: true;
    /** Values of the axes of a variable font, which it then no longer has; or the part of an axis to keep. */
    readonly variationAxes: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: Options,
  ): Promise<Uint8Array>;
}

declare module 'fontverter' {
  const fontverter: { convert(font: Uint8Array, format: 'truetype'): Promise<Uint8Array> };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default fontverter;
}
