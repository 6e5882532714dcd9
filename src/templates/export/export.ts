import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { Fault } from '../../errors.ts';
import type { NewFile } from '../../files/files.ts';
import type { Warning } from '../../language.ts';
import type {
  PrintOptions as BrowserOptions,
  PageAsker,
  Screenshot,
} from '../../platform/browser/browser.ts';
import { glyphWarnings } from '../../platform/browser/missing-glyphs.ts';
import type { TemplateContext } from '../context.ts';
import { toEml } from '../finish/eml.ts';
import type { ExportFormat, PrintOptions } from '../output-choices.ts';
import type { Rendered, RenderInput } from '../rendering/rendering.ts';

type ExportInput = RenderInput & {
  readonly format: ExportFormat;
  readonly print: PrintOptions;
  readonly signal: AbortSignal;
  readonly inJob?: boolean;
};

/** A rendered email as a file. `pages` only for a PDF. */
type Exported = {
  readonly file: NewFile;
  readonly rendered: Rendered;
  readonly pages?: number;
  readonly warnings: readonly Warning[];
};

type Made = { readonly bytes: Uint8Array; readonly pages?: number; readonly warnings?: readonly Warning[] };

/** CSS pixels: the width emails are designed for, plus the space email clients leave around them. */
const PICTURE_WIDTH = 640;

const MEDIA_TYPES = {
  pdf: { mediaType: 'application/pdf', extension: 'pdf' },
  html: { mediaType: 'text/html; charset=utf-8', extension: 'html' },
  text: { mediaType: 'text/plain; charset=utf-8', extension: 'txt' },
  png: { mediaType: 'image/png', extension: 'png' },
  eml: { mediaType: 'message/rfc822', extension: 'eml' },
  zip: { mediaType: 'application/zip', extension: 'zip' },
} as const satisfies Record<ExportFormat, { mediaType: string; extension: string }>;

/** Renders an email and makes a file of it. */
export function createExport({ rendering, browser, assets, finisher }: TemplateContext) {
  /** @throws Fault what rendering throws, and what the browser throws for pdf and png */
  async function run(accountId: string, { format, print, inJob, ...input }: ExportInput): Promise<Exported> {
    const { signal } = input;
    const email = await rendering.render(accountId, input);
    const { rendered, bands } =
      format === 'pdf' ? await fillBands(accountId, input, email, print) : { rendered: email };
    signal.throwIfAborted();
    const {
      bytes,
      pages,
      warnings = [],
    } = await make(
      format,
      rendered,
      { ...print, ...bands },
      {
        ...{ accountId, signal },
        ...(inJob !== undefined && { inJob }),
      },
    );
    const { mediaType, extension } = MEDIA_TYPES[format];
    return {
      file: { bytes, mediaType, filename: `${fileNameOf(rendered.template)}.${extension}` },
      rendered,
      ...(pages !== undefined && { pages }),
      warnings: [...rendered.warnings, ...warnings],
    };
  }

  /** Header and footer with the data of the email, and what they lack beside what the email lacks. */
  async function fillBands(accountId: string, input: RenderInput, email: Rendered, print: PrintOptions) {
    const bands: { header?: string; footer?: string } = {};
    let rendered = email;
    for (const name of ['header', 'footer'] as const) {
      const html = print[name];
      if (!html?.includes('{{')) continue;
      const band = await rendering.fillAside(accountId, input, html).catch((error: unknown) => {
        throw inOption(name, error);
      });
      bands[name] = band.html;
      rendered = {
        ...rendered,
        missing_variables: [...new Set([...rendered.missing_variables, ...band.missing_variables])],
        unused_variables: rendered.unused_variables.filter((unused) =>
          band.unused_variables.includes(unused),
        ),
        type_mismatches: [...rendered.type_mismatches, ...band.type_mismatches],
        warnings: [...rendered.warnings, ...band.warnings],
      };
    }
    return { rendered, bands };
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
        const { pdf, pages, missingGlyphs } = await browser.print(html, browserOptions(print), asker);
        return { bytes: pdf, pages, warnings: [...warnings, ...glyphWarnings(missingGlyphs)] };
      }
      case 'png': {
        const { html, warnings } = await assets.inline(rendered.html, asker);
        const shots = [{ width: PICTURE_WIDTH, colorScheme: 'light', compact: true }] as const;
        const pictures = await browser.screenshot(html, shots, asker);
        const bytes = pictures[0]?.png ?? new Uint8Array();
        return {
          bytes,
          warnings: [...warnings, ...cutWarnings(pictures), ...glyphWarnings(pictures[0]?.missingGlyphs)],
        };
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

/** A problem of a header or footer says in which option it is. */
function inOption(name: 'header' | 'footer', error: unknown): unknown {
  if (!(error instanceof Fault) || error.status !== 422) return error;
  const { key, params, data } = error;
  const loc = ['body', 'options', name];
  const errors =
    error.errors.length > 0 ? error.errors.map((detail) => ({ ...detail, loc })) : [{ loc, key, params }];
  return new Fault(key, params, { errors, data, cause: error });
}

// The same email gives the same bytes, whenever it is exported.
const EPOCH = new Date(1980, 0, 1);

/** The parts of an email as files, for a sending service that takes them one by one. */
async function toZip({ html, text, subject, preheader }: Rendered): Promise<Uint8Array> {
  const zip = new ZipFile();
  const parts = { 'mail.html': html, 'mail.txt': text, 'subject.txt': subject, 'preheader.txt': preheader };
  for (const [name, content] of Object.entries(parts)) {
    if (content !== null) zip.addBuffer(Buffer.from(content), name, { mtime: EPOCH });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** A warning for each height at which a picture does not hold the whole email. */
export function cutWarnings(pictures: readonly Pick<Screenshot, 'cut'>[]): Warning[] {
  const cuts = new Map(pictures.flatMap(({ cut }) => (cut ? [[cut.height, cut] as const] : [])));
  return [...cuts.values()].map((cut) => ({ key: 'picture_cut', params: cut, ...cut }));
}

/** A name every file system takes, without an extension. */
export function fileNameOf(template = 'mail'): string {
  const name = template.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[.-]+|[.-]+$/g, '');
  return name || 'mail';
}

/** The same in the browser's words. */
function browserOptions(options: PrintOptions): BrowserOptions {
  const { page_size, margin, page_ranges, header, footer, ...same } = options;
  const all = (length: string) => ({ top: length, right: length, bottom: length, left: length });
  return {
    ...same,
    pageSize: page_size,
    margin: typeof margin === 'string' ? all(margin) : margin,
    ...(page_ranges !== undefined && { pageRanges: page_ranges.replaceAll(/\s+/g, '') }),
    ...(header !== undefined && { header }),
    ...(footer !== undefined && { footer }),
  };
}
