/** A JSON Schema of an object; only `properties`, `required`, `items`, `type`, `format`, `default` and `description` are read. */
export type JsonSchema = { readonly [key: string]: unknown };

export type TemplateKind = 'template' | 'layout' | 'partial';

/** What an author wrote. Every text but `css` is Handlebars. */
export type Source = {
  readonly kind: TemplateKind;
  readonly html: string;
  readonly subject?: string | undefined;
  readonly preheader?: string | undefined;
  readonly text?: string | undefined;
  readonly css?: string | undefined;
  readonly schema?: JsonSchema | undefined;
  /** Whether the HTML was made from another language, which makes it larger than what was written. */
  readonly generated?: boolean | undefined;
  /** Whether it is rendered with a layout around it. Standing in one costs a little, so only those that do are compiled for it. */
  readonly inLayout?: boolean | undefined;
};

/** The fields that are compiled, in the order in which problems are listed. */
export const FIELDS = ['html', 'subject', 'preheader', 'text'] as const;

export type Field = (typeof FIELDS)[number];
