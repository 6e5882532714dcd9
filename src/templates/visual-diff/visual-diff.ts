import type { NewFile } from '../../files/files.ts';
import type { TemplateContext } from '../context.ts';
import { fileNameOf } from '../export/file-name.ts';
import type { Rendered } from '../rendering.ts';
import { choiceOf, findVersion } from '../resolve/find-version.ts';
import { sampleData } from '../sample-data.ts';

/** Two versions seen side by side. `changed` is the share of pixels that differ, 0 to 1; sizes are CSS pixels. */
export type VisualDiff = {
  readonly file: NewFile;
  readonly width: number;
  readonly height: number;
  readonly changed: number;
};

export type VisualDiffInput = {
  readonly from: string;
  readonly to: string;
  /** Stored sample data to show both with; without it, data made up from what each version reads. */
  readonly fixture?: string | undefined;
  readonly signal: AbortSignal;
};

const WIDTH = 640;

/** Shows what a change looks like to who gets the mail. */
export function createVisualDiff({ sql, rendering, browser, assets, pictures }: TemplateContext) {
  async function see(accountId: string, template: string, reference: string, input: VisualDiffInput) {
    const { label } = (await findVersion(sql, accountId, template, choiceOf(reference))).version;
    const request = { template, version: label, onMissing: 'fallback' } as const;
    const rendered = await (input.fixture === undefined
      ? renderSample(accountId, request)
      : rendering.render(accountId, { ...request, fixture: input.fixture }));
    const asker = { accountId, signal: input.signal };
    const { html } = await assets.inline(rendered.html, asker);
    const [picture] = await browser.shoot(html, [{ width: WIDTH, colorScheme: 'light' }], asker);
    return { label, png: picture?.png ?? new Uint8Array() };
  }

  async function renderSample(
    accountId: string,
    request: { template: string; version: string; onMissing: 'fallback' },
  ): Promise<Rendered> {
    const resolved = await rendering.resolve(accountId, request);
    return rendering.fill(resolved, sampleData(resolved.variables), request);
  }

  return {
    /** @throws Fault not_found, what rendering and the browser throw */
    async run(accountId: string, template: string, input: VisualDiffInput): Promise<VisualDiff> {
      const from = await see(accountId, template, input.from, input);
      const to = await see(accountId, template, input.to, input);
      const { png, ...diff } = await pictures.compare(
        { from: from.png, to: to.png },
        { accountId, signal: input.signal },
      );
      const filename = `${fileNameOf(template)}-${from.label}-${to.label}.png`;
      return { ...diff, file: { bytes: png, mediaType: 'image/png', filename } };
    },
  };
}
