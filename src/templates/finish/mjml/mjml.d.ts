/** The part of MJML that is used; the package brings no types. */
declare module 'mjml' {
  type Options = {
    readonly fonts: Readonly<Record<string, string>>;
    readonly ignoreIncludes: boolean;
    readonly keepComments: boolean;
    readonly validationLevel: 'strict' | 'soft' | 'skip';
  };
  type Result = {
    readonly html: string;
    readonly errors: readonly { readonly line: number; readonly message: string; readonly tagName: string }[];
  };
  const mjml2html: (source: string, options: Options) => Promise<Result>;
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default mjml2html;
}
