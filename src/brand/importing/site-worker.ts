import type { Timed } from '../../platform/thread-pool.ts';
import { begin } from '../../platform/thread-time.ts';
import { areaColors } from './area-colors.ts';
import type { AreaColor } from './color-roles.ts';
import { type PageFacts, readPage } from './read-page.ts';

export type SiteJob = { readonly html: string; readonly address: string } | { readonly png: Uint8Array };
export type SiteResult = PageFacts | readonly AreaColor[];

/** Entry point of the thread. */
export function readSiteJob(job: Timed<SiteJob>): SiteResult {
  begin(job.begun);
  return 'png' in job ? areaColors(job.png) : readPage(job.html, job.address);
}
