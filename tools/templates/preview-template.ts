import { z } from 'zod';
import type { InputKey } from '../../src/language.ts';
import { ColorScheme, Device } from '../../src/templates/output-choices.ts';
import {
  Data,
  DataSchema,
  Document,
  FixtureName,
  TemplateName,
  Warning,
} from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { productFiller } from '../contract/fill-products.ts';
import { localizeWarnings } from './output.ts';
import { brandChoice, renderOptions, TypeMismatches } from './render-template.ts';

const each = <Item extends z.ZodType>(item: Item, all: readonly z.output<Item>[]) =>
  z
    .array(item)
    .min(1)
    .max(3)
    .refine((items) => new Set(items).size === items.length, 'no_repeats' satisfies InputKey)
    .default([...all]);

export const previewTemplate = defineTool({
  name: 'preview_template',
  title: 'Preview a template',
  description:
    'Take screenshots of a stored template or unsaved HTML on desktop (800 px), tablet (600) and phone (375), in light and dark mode. Uses sample data unless you send data or fixture. Returns image URLs.',
  keywords: {
    en: [
      'picture of the email',
      'screenshot on a phone',
      'how it looks on mobile',
      'dark mode',
      'desktop and tablet',
      'iphone',
      'how does it look',
      'small screen',
    ],
    es: [
      'imagen del correo en el móvil',
      'pantallazo',
      'captura de pantalla',
      'cómo se ve en el teléfono',
      'modo oscuro',
      'cómo se ve el correo',
      'pantalla pequeña',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:render',
  rest: { route: 'POST /v1/preview' },
  mcp: {
    app: { name: 'mail' },
    view: ({ images, warnings }) =>
      [
        ...images.map(
          ({ device, color_scheme, width, height, url }) =>
            `${device}, ${color_scheme}, ${width} × ${height}: ${url}`,
        ),
        ...warnings.map(({ message }) => `- ${message}`),
      ].join('\n'),
  },
  job: true,
  input: z.object({
    template: TemplateName.optional(),
    html: Document.shape.html.optional(),
    schema: DataSchema.optional(),
    format: Document.shape.format,
    layout: TemplateName.optional(),
    ...renderOptions,
    ...brandChoice,
    data: Data.optional(),
    fixture: FixtureName.optional().meta({ description: 'Stored sample data, instead of data' }),
    devices: each(Device, ['desktop', 'mobile']),
    color_schemes: each(ColorScheme, ['light', 'dark']),
  }),
  output: z.object({
    images: z.array(
      Delivered.extend({
        device: Device,
        color_scheme: ColorScheme,
        width: z.number(),
        height: z.number(),
      }),
    ),
    missing_variables: z.array(z.string()),
    type_mismatches: TypeMismatches,
    warnings: z.array(Warning),
  }),
  run: async (input, call) => {
    const { app, caller, signal, jobId, deliver } = call;
    const { html, schema, format, layout, on_missing, color_schemes, ...rest } = input;
    const unsaved = html === undefined ? undefined : { html, schema, format, layout };
    const inJob = jobId !== undefined;
    const data = await productFiller(call)(input.data);
    const request = {
      ...rest,
      data,
      unsaved,
      onMissing: on_missing,
      colorSchemes: color_schemes,
      signal,
      inJob,
    };
    const { images, rendered, warnings } = await app.templates.preview.run(caller.accountId, request);
    const delivered = [];
    for (const { file, ...image } of images) delivered.push({ ...image, ...(await deliver(file)) });
    const { missing_variables, type_mismatches } = rendered;
    return localizeWarnings({ images: delivered, missing_variables, type_mismatches, warnings }, call);
  },
  examples: [
    {
      title: 'The welcome email on a phone',
      input: {
        template: 'welcome',
        data: { name: 'Ana' },
        devices: ['mobile'],
        color_schemes: ['light', 'dark'],
      },
    },
  ],
});
