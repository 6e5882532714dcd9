import { z } from 'zod';
import type { InputKey } from '../language.ts';

// What callers choose of an output. Tools show it, so it loads nothing of what makes the output.

export const OnMissing = z.enum(['fallback', 'error', 'keep']);
export type OnMissing = z.output<typeof OnMissing>;

export const ExportFormat = z.enum(['pdf', 'html', 'text', 'png', 'eml', 'zip']);
export type ExportFormat = z.output<typeof ExportFormat>;

/** A CSS length a printer understands: `20mm`, `0.5in`, `1cm`, `12pt`, `40px`, or `0`. */
const Length = z.string().regex(/^(0|\d{1,4}(\.\d{1,3})?(mm|cm|in|pt|px))$/, 'css_length' satisfies InputKey);

const Margins = z.strictObject({
  top: Length.default('0'),
  right: Length.default('0'),
  bottom: Length.default('0'),
  left: Length.default('0'),
});

// Printed over every page: room for a line or two, not for a second document.
const Band = z.string().max(10_000);

/**
 * How a PDF is laid out. Header and footer are filled with the data of the email, and may hold elements of class
 * pageNumber, totalPages, date and title.
 */
export const PrintOptions = z.strictObject({
  page_size: z.enum(['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid']).default('A4'),
  landscape: z.boolean().default(false),
  scale: z.number().min(0.1).max(2).default(1),
  margin: z.union([Length, Margins], 'margin' satisfies InputKey).default('0'),
  header: Band.optional(),
  footer: Band.optional(),
  page_ranges: z
    .string()
    .regex(
      /^\s*\d{1,4}(\s*-\s*\d{1,4})?(\s*,\s*\d{1,4}(\s*-\s*\d{1,4})?){0,50}\s*$/,
      'page_ranges' satisfies InputKey,
    )
    .optional(),
  background: z.boolean().default(true),
  tagged: z.boolean().default(false).meta({ description: 'Tags for screen readers; slower' }),
});
export type PrintOptions = z.output<typeof PrintOptions>;

export const Device = z.enum(['desktop', 'tablet', 'mobile']);
export type Device = z.output<typeof Device>;

export const ColorScheme = z.enum(['light', 'dark']);
export type ColorScheme = z.output<typeof ColorScheme>;

export const DiffFormat = z.enum(['unified', 'hunks', 'tokens', 'structural', 'schema', 'visual']);
export type DiffFormat = z.output<typeof DiffFormat>;
