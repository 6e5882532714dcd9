import { Fault } from '../../errors.ts';
import type { NewFile } from '../../files/files.ts';
import type { Warning } from '../../language.ts';
import { glyphWarnings } from '../../platform/browser/missing-glyphs.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { createThreadPool } from '../../platform/thread-pool.ts';
import type { TemplateContext } from '../context.ts';
import { type Side, sideOf } from '../diff/side.ts';
import { cutWarnings, fileNameOf } from '../export/export.ts';
import type { ColorScheme, Device } from '../output-choices.ts';
import { WIDTHS } from '../rendering/preview.ts';
import type { Rendered } from '../rendering/rendering.ts';
import { choiceOf, findVersion } from '../resolve/find-version.ts';
import type { ScreenshotDiff, ScreenshotPair } from './compare-screenshots.ts';

/** Two versions seen side by side. `changed` is the share of pixels that differ, 0 to 1; sizes are CSS pixels. */
type VisualDiff = {
  readonly file: NewFile;
  readonly width: number;
  readonly height: number;
  /** Width of the first version, of the second and of what differs: the three panels of the image. */
  readonly panelWidth: number;
  readonly changed: number;
  /** What either version reads and the data does not have, or has of another type. */
  readonly missingVariables: readonly string[];
  readonly typeMismatches: Rendered['type_mismatches'];
  /** What is doubtful about either version as it is shown: its data, its images, its characters, its height. */
  readonly warnings: readonly Warning[];
};

type VisualDiffInput = {
  readonly from: string;
  readonly to: string;
  /** Stored sample data to show both with; without it, the fixture `sample`, else data made up from what each version reads. */
  readonly fixture?: string | undefined;
  /** Without one, 640 pixels wide. */
  readonly device?: Device | undefined;
  readonly colorScheme?: ColorScheme | undefined;
  readonly signal: AbortSignal;
};

const WIDTH = 640;

/**
 * Shows what a change looks like to who gets the email.
 *
 * In: two versions of an email and a fixture. Out: a screenshot of each, and where they differ. Invariant: both sides
 * are rendered with the same data, width and color scheme.
 */
export function createVisualDiff({ sql, rendering, browser, assets, screenshots }: TemplateContext) {
  async function see(accountId: string, { template, reference, labelOf }: Side, input: VisualDiffInput) {
    const { version } = await findVersion(sql, accountId, template, choiceOf(reference));
    const { label } = version;
    const request = { template, version: label, onMissing: 'fallback' } as const;
    const { rendered } = await rendering.show(accountId, { ...request, fixture: input.fixture });
    const asker = { accountId, signal: input.signal };
    const { html, warnings } = await assets.inline(rendered.html, asker);
    const { device, colorScheme = 'light' } = input;
    const width = device ? WIDTHS[device] : WIDTH;
    const mobile = device !== undefined && device !== 'desktop';
    const shots = [{ width, colorScheme, mobile, withBlocks: true }];
    const pictures = await browser.screenshot(html, shots, asker);
    const [picture] = pictures;
    const shot = { png: picture?.png ?? new Uint8Array(), blocks: picture?.blocks };
    return {
      ...{ label: labelOf(version), shot, pictures, rendered },
      ...{ warnings: [...rendered.warnings, ...warnings], missingGlyphs: picture?.missingGlyphs ?? [] },
    };
  }

  return {
    /** @throws Fault not_found, what rendering and the browser throw */
    async run(accountId: string, template: string, input: VisualDiffInput): Promise<VisualDiff> {
      const from = await see(accountId, sideOf(template, input.from), input);
      const to = await see(accountId, sideOf(template, input.to), input);
      const pair = { from: from.shot, to: to.shot };
      const { png, ...diff } = await screenshots.compare(pair, { accountId, signal: input.signal });
      const view = [input.device, input.colorScheme === 'dark' ? 'dark' : undefined].filter(Boolean);
      const labels = [from.label, to.label].map(fileNameOf);
      const filename = `${[fileNameOf(template), ...labels, ...view].join('-')}.png`;
      const missing = new Set([...from.missingGlyphs, ...to.missingGlyphs]);
      const pictures = [...from.pictures, ...to.pictures];
      const shown = [from, to];
      return {
        ...diff,
        missingVariables: distinct(shown.flatMap(({ rendered }) => rendered.missing_variables)),
        typeMismatches: distinct(shown.flatMap(({ rendered }) => rendered.type_mismatches)),
        warnings: [
          ...distinct(shown.flatMap(({ warnings }) => warnings)),
          ...cutWarnings(pictures),
          ...glyphWarnings([...missing]),
        ],
        file: { bytes: png, mediaType: 'image/png', filename },
      };
    },
  };
}

/** Each once, though both versions have it. */
function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

export type ScreenshotComparer = {
  /** @throws Fault unavailable.pictures_busy, too_large.pictures */
  compare(pair: ScreenshotPair, asker?: QueueCaller): Promise<ScreenshotDiff>;
  close(): Promise<void>;
};

const COMPARE_TIMEOUT_MS = 10_000;
/** Of the thread: three panels of the tallest images there can be, and their PNGs. */
const MEMORY_MB = 1024;

/** Compares images in one thread, which starts with the first pair. */
export function createScreenshotComparer(): ScreenshotComparer {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const { run, close } = createThreadPool<ScreenshotPair, ScreenshotDiff>({
    file: new URL(`./compare-screenshots.${extension}`, import.meta.url),
    name: 'compareScreenshots',
    threads: 1,
    timeoutMs: COMPARE_TIMEOUT_MS,
    memoryMb: MEMORY_MB,
    busy: () => new Fault('unavailable.pictures_busy', {}, { retryAfterSeconds: 5 }),
    tooSlow: tooLarge,
    tooLarge,
  });
  return { compare: run, close };
}

function tooLarge(_pair: ScreenshotPair, cause: unknown): Fault {
  return new Fault('too_large.pictures', {}, { cause });
}
