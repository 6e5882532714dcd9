import { z } from 'zod';
import type { NewFile } from '../../files/files.ts';
import type { Warning } from '../../language.ts';
import type { PageAsker } from '../../platform/browser/browser.ts';
import type { TemplateContext } from '../context.ts';
import { toEml } from '../finish/eml.ts';
import type { Rendered, RenderInput } from '../rendering.ts';
import { fileNameOf } from './file-name.ts';
import { browserOptions, type PrintOptions } from './print-options.ts';
import { toZip } from './zip.ts';

export const ExportFormat = z.enum(['pdf', 'html', 'text', 'png', 'eml', 'zip']);
export type ExportFormat = z.output<typeof ExportFormat>;

export type ExportInput = RenderInput & {
  readonly format: ExportFormat;
  readonly print: PrintOptions;
  readonly signal: AbortSignal;
};

/** A rendered mail as a file. `pages` only for a PDF. */
export type Exported = {
  readonly file: NewFile;
  readonly rendered: Rendered;
  readonly pages?: number;
  readonly warnings: readonly Warning[];
};

type Made = { readonly bytes: Uint8Array; readonly pages?: number; readonly warnings?: readonly Warning[] };

/** CSS pixels: the width mails are designed for, plus the space mail programs leave around them. */
const PICTURE_WIDTH = 640;

const MEDIA_TYPES = {
  pdf: { mediaType: 'application/pdf', extension: 'pdf' },
  html: { mediaType: 'text/html; charset=utf-8', extension: 'html' },
  text: { mediaType: 'text/plain; charset=utf-8', extension: 'txt' },
  png: { mediaType: 'image/png', extension: 'png' },
  eml: { mediaType: 'message/rfc822', extension: 'eml' },
  zip: { mediaType: 'application/zip', extension: 'zip' },
} as const satisfies Record<ExportFormat, { mediaType: string; extension: string }>;

/** Renders a mail and makes a file of it. */
export function createExport({ rendering, browser, assets, finisher }: TemplateContext) {
  /** @throws Fault what rendering throws, and what the browser throws for pdf and png */
  async function run(accountId: string, { format, print, ...input }: ExportInput): Promise<Exported> {
    const { signal } = input;
    const rendered = await rendering.render(accountId, input);
    signal.throwIfAborted();
    const { bytes, pages, warnings = [] } = await make(format, rendered, print, { accountId, signal });
    const { mediaType, extension } = MEDIA_TYPES[format];
    return {
      file: { bytes, mediaType, filename: `${fileNameOf(rendered.template)}.${extension}` },
      rendered,
      ...(pages !== undefined && { pages }),
      warnings: [...rendered.warnings, ...warnings],
    };
  }

  async function make(
    format: ExportFormat,
    rendered: Rendered,
    print: PrintOptions,
    asker: PageAsker,
  ): Promise<Made> {
    switch (format) {
      case 'pdf': {
        const { html, warnings } = await assets.inline(rendered.html, asker);
        const { pdf, pages } = await browser.print(html, browserOptions(print), asker);
        return { bytes: pdf, pages, warnings };
      }
      case 'png': {
        const { html, warnings } = await assets.inline(rendered.html, asker);
        const [picture] = await browser.screenshot(
          html,
          [{ width: PICTURE_WIDTH, colorScheme: 'light' }],
          asker,
        );
        return { bytes: picture?.png ?? new Uint8Array(), warnings };
      }
      case 'html':
        return { bytes: Buffer.from(rendered.html) };
      case 'text':
        return { bytes: Buffer.from(await textOf(rendered, asker)) };
      case 'eml':
        return { bytes: await toEml({ ...rendered, text: await textOf(rendered, asker), date: new Date() }) };
      case 'zip':
        return { bytes: await toZip({ ...rendered, text: await textOf(rendered, asker) }) };
    }
  }

  async function textOf({ text, html }: Rendered, asker: PageAsker): Promise<string> {
    return text ?? finisher.plainText(html, asker);
  }

  return { run };
}
