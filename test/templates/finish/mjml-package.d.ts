/** The whole package, which the product takes apart to leave out its command line. It brings no types. */
declare module 'mjml' {
  import type { Options, Result } from 'mjml-core';

  const mjml2html: (source: string, options: Options) => Promise<Result>;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default mjml2html;
}
