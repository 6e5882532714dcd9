import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { ApiFault } from '../../api/fault.ts';
import type { Input, Output } from '../../api/operation.ts';
import { type getTemplate, lintTemplate, renderTemplate } from '../../api/operations.gen.ts';
import { language } from '../../i18n/language.ts';
import { useSettled } from '../../settled.ts';
import type { SourceField } from './use-document.ts';

const RENDER_DELAY_MS = 100;
const LINT_DELAY_MS = 600;

type Template = Output<typeof getTemplate>;
export type Data = NonNullable<Input<typeof renderTemplate>['data']>;

/** What an unsaved template is rendered from. */
type Source = Pick<Template, 'css' | 'text' | 'subject' | 'preheader' | 'format' | 'layout' | 'schema'> & {
  readonly html: string;
  readonly data: Data;
};

export type Rendered = Output<typeof renderTemplate>;

/** The email as the server renders what was typed: the same code as the one that renders it for customers. */
export function usePreview(template: Template, content: Readonly<Record<SourceField, string>>, data: Data) {
  const source: Source = {
    html: content.html,
    ...given('css', content.css),
    ...given('text', content.text),
    ...given('subject', content.subject),
    ...given('preheader', content.preheader),
    ...(template.format && { format: template.format }),
    ...(template.layout && { layout: template.layout }),
    ...(template.schema && { schema: template.schema }),
    data,
  };
  const linting = useSettled(source, LINT_DELAY_MS);
  const rendered = useRendering(source);
  // Lint has no field for the style sheet of an unsaved template.
  const { css: _, ...lintable } = linting;
  const linted = useQuery({
    queryKey: ['lint', lintable, language()],
    queryFn: ({ signal }) => call(lintTemplate, lintable, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return { rendered, linted };
}

/** An unsaved template as the server renders it, a moment after its last change. */
export function useRendering(source: Source) {
  const rendering = useSettled(source, RENDER_DELAY_MS);
  return useQuery<Rendered, ApiFault>({
    queryKey: ['preview', rendering],
    queryFn: ({ signal }) =>
      call(
        renderTemplate,
        { ...rendering, on_missing: 'keep', plain_text: true } as Input<typeof renderTemplate>,
        signal,
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function given<Name extends string>(name: Name, value: string) {
  return value === '' ? {} : ({ [name]: value } as Record<Name, string>);
}
