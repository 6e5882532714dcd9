// Neither package has types of its own.
declare module 'subset-font' {
  type Options = {
    readonly targetFormat: 'truetype';
    readonly keepAllGlyphs: true;
    /** Values of the axes of a variable font; it has no axes after that. */
    readonly variationAxes: Readonly<Record<string, number>>;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default function subsetFont(
    font: Uint8Array,
    text: undefined,
    options: Options,
  ): Promise<Uint8Array>;
}

declare module 'fontverter' {
  const fontverter: { convert(font: Uint8Array, format: 'truetype'): Promise<Uint8Array> };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default fontverter;
}
