import { Fault } from '../../errors.ts';
import type { BlankPage } from './blank-page.ts';
import type { Printed, PrintOptions } from './browser.ts';
import { colorEmoji } from './color-emoji.ts';
import { freezeMotion } from './freeze-motion.ts';
import { findMissingGlyphs } from './missing-glyphs.ts';

const LIMITS = { pages: 200, bytes: 32 * 1024 * 1024 };

/** @throws Fault validation_failed.page_ranges, validation_failed.margins, too_large.pdf */
export async function printPage(
  { cdp, show }: BlankPage,
  html: string,
  options: PrintOptions,
): Promise<Printed> {
  const parameters = printParameters(options);
  await cdp.send('Emulation.setEmulatedMedia', { media: 'print', features: [] });
  await show(html);
  await colorEmoji({ cdp, html });
  await freezeMotion(cdp);
  const missingGlyphs = await findMissingGlyphs({ cdp, html });
  // As one result; as a stream it takes 3 ms longer.
  const { data } = await cdp.send('Page.printToPDF', parameters).catch((error: unknown) => {
    throw faultOf(error, options) ?? error;
  });
  const pdf = Buffer.from(data, 'base64');
  const pages = countPages(pdf);
  if (pages <= LIMITS.pages && pdf.length <= LIMITS.bytes) return { pdf, pages, missingGlyphs };
  const limits = { page_limit: LIMITS.pages, byte_limit: LIMITS.bytes };
  throw new Fault('too_large.pdf', { pages, bytes: pdf.length, ...limits });
}

function printParameters(options: PrintOptions) {
  const [short, long] = PAPER[options.pageSize];
  const { header, footer, pageRanges } = options;
  return {
    paperWidth: short,
    paperHeight: long,
    landscape: options.landscape,
    scale: options.scale,
    marginTop: inches(options.margin.top),
    marginRight: inches(options.margin.right),
    marginBottom: inches(options.margin.bottom),
    marginLeft: inches(options.margin.left),
    // A missing or empty one would get Chromium's default: the date above, the address below.
    ...((header || footer) && {
      displayHeaderFooter: true,
      headerTemplate: header || NOTHING,
      footerTemplate: footer || NOTHING,
    }),
    ...(pageRanges && { pageRanges }),
    printBackground: options.background,
    generateTaggedPDF: options.tagged,
    generateDocumentOutline: options.tagged,
    preferCSSPageSize: false,
  };
}

const NOTHING = '<span></span>';

/** Portrait sizes in inches, width and height. */
const PAPER: Readonly<Record<PrintOptions['pageSize'], readonly [number, number]>> = {
  A3: [11.6929, 16.5354],
  A4: [8.2677, 11.6929],
  A5: [5.8268, 8.2677],
  Legal: [8.5, 14],
  Letter: [8.5, 11],
  Tabloid: [11, 17],
};

const INCHES: Readonly<Record<string, number>> = {
  in: 1,
  cm: 1 / 2.54,
  mm: 1 / 25.4,
  q: 1 / 101.6,
  pt: 1 / 72,
  pc: 1 / 6,
  px: 1 / 96,
};

function inches(length: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?|\.\d+)(in|cm|mm|q|pt|pc|px)?$/i.exec(length.trim()) ?? [];
  const perUnit = unit === undefined && Number(number) === 0 ? 1 : INCHES[unit?.toLowerCase() ?? ''];
  if (number === undefined || perUnit === undefined) throw new Fault('validation_failed.margins');
  return Number(number) * perUnit;
}

// Chromium's messages, from components/printing and content/devtools.
function faultOf(error: unknown, { pageRanges = '' }: PrintOptions): Fault | undefined {
  const words = error instanceof Error ? error.message : '';
  if (/page range/i.test(words)) {
    return new Fault('validation_failed.page_ranges', { ranges: pageRanges }, { cause: error });
  }
  if (/content area is empty|invalid print parameters|margin/i.test(words)) {
    return new Fault('validation_failed.margins', {}, { cause: error });
  }
  return undefined;
}

const PAGE = Buffer.from(' obj\n<</Type /Page\n');

/** Counts the pages of a PDF made by Chromium, which does not compress the start of page objects. */
export function countPages(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let pages = 0;
  for (let at = bytes.indexOf(PAGE); at >= 0; at = bytes.indexOf(PAGE, at + PAGE.length)) pages++;
  return pages;
}
