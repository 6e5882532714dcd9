import { language } from './language.ts';

/** Each is made once: a browser takes as long for it as for a hundred uses, and a page draws dozens with every key. */
export const numberFormat = once(
  (of: string, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(of, options),
);
export const dateFormat = once(
  (of: string, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(of, options),
);
export const agoFormat = once(
  (of: string, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(of, options),
);
export const pluralRules = once((of: string) => new Intl.PluralRules(of));

/** Formats for the language of the page, by their options. */
function once<Options, Format>(make: (language: string, options?: Options) => Format) {
  const made = new Map<string, Format>();
  return (options?: Options, of: string = language()): Format => {
    const key = `${of} ${JSON.stringify(options)}`;
    const format = made.get(key) ?? make(of, options);
    made.set(key, format);
    return format;
  };
}
