import type { NewFile } from '../../files/files.ts';
import type { Warning } from '../../language.ts';
import { glyphWarnings } from '../../platform/browser/missing-glyphs.ts';
import type { TemplateContext } from '../context.ts';
import { cutWarnings, fileNameOf } from '../export/export.ts';
import type { ColorScheme, Device } from '../output-choices.ts';
import type { Rendered, RenderInput } from './rendering.ts';

/** Widths in CSS pixels of the reading pane of common email clients. */
export const WIDTHS: Readonly<Record<Device, number>> = { desktop: 800, tablet: 600, mobile: 375 };

export type PreviewInput = RenderInput & {
  readonly devices: readonly Device[];
  readonly colorSchemes: readonly ColorScheme[];
  readonly signal: AbortSignal;
  readonly inJob?: boolean;
};

/** One image; width and height in CSS pixels. */
type PreviewImage = {
  readonly device: Device;
  readonly color_scheme: ColorScheme;
  readonly width: number;
  readonly height: number;
  readonly file: NewFile;
};

export type Previewed = {
  readonly rendered: Rendered;
  readonly images: readonly PreviewImage[];
  readonly warnings: readonly Warning[];
};

/** Shows how an email looks on screens of several widths, by day and by night. */
export function createPreview({ rendering, browser, assets }: TemplateContext) {
  return {
    /** Without data and fixture, shows the template with sample data. @throws Fault what rendering and the browser throw */
    async run(
      accountId: string,
      { devices, colorSchemes, inJob, ...input }: PreviewInput,
    ): Promise<Previewed> {
      const asker = { accountId, signal: input.signal, ...(inJob !== undefined && { inJob }) };
      const { rendered } = await rendering.show(accountId, input);
      const { html, warnings } = await assets.inline(rendered.html, asker);
      const views = devices.flatMap((device) =>
        colorSchemes.map((color_scheme) => ({ device, color_scheme })),
      );
      const shots = views.map(({ device, color_scheme }) => ({
        width: WIDTHS[device],
        colorScheme: color_scheme,
        mobile: device !== 'desktop',
        compact: true,
      }));
      const pictures = await browser.screenshot(html, shots, asker);
      const glyphs = glyphWarnings(pictures[0]?.missingGlyphs);
      const name = fileNameOf(rendered.template);
      const images = views.flatMap((view, index) => {
        const picture = pictures[index];
        if (!picture) return [];
        const { png, width, height } = picture;
        const filename = `${name}-${view.device}-${view.color_scheme}.png`;
        return [{ ...view, width, height, file: { bytes: png, mediaType: 'image/png', filename } }];
      });
      const found = [...cutWarnings(pictures), ...glyphs];
      return { rendered, images, warnings: [...rendered.warnings, ...warnings, ...found] };
    },
  };
}
