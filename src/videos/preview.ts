import type { Composition, FilledPage } from './composition/composition.ts';
import { previewDocument } from './preview-document.ts';
import { type Aspect, VideoRequest } from './request.ts';
import type { VideoTemplate } from './templates/video-template.ts';

type PreviewParts = {
  /** @throws Fault not_found.video_template */
  readonly find: (accountId: string, name: string) => Promise<VideoTemplate>;
  readonly fill: (accountId: string, template: VideoTemplate, request: VideoRequest) => Promise<FilledPage>;
  readonly gather: (page: FilledPage, signal: AbortSignal, accountId: string) => Promise<Composition>;
};

type PreviewAsked = {
  readonly name: string;
  readonly aspect?: Aspect | undefined;
  /** Seconds; unless said, those that suit the template. */
  readonly duration?: number | undefined;
};

/** A page that plays a template. */
export type Preview = {
  readonly html: string;
  /** Scripts of the template's author are in it. */
  readonly scripts: boolean;
};

/** Makes a page in which a template plays with its sample data, as its videos would show it. */
export function createPreview({ find, fill, gather }: PreviewParts) {
  /** @throws Fault not_found.video_template, video_failed.asset_…, and those of `fill`; and the signal's reason */
  return async (
    accountId: string,
    { name, aspect, duration }: PreviewAsked,
    addresses: Parameters<typeof previewDocument>[1],
    signal: AbortSignal,
  ): Promise<Preview> => {
    const template = await find(accountId, name);
    const { title, sample, aspects, duration: suitable } = template.manifest;
    const request = VideoRequest.parse({
      title,
      template: name,
      duration: duration ?? suitable,
      aspect: aspect ?? aspects[0],
      data: sample,
    });
    const page = await gather(await fill(accountId, template, request), signal, accountId);
    return { html: previewDocument(page, addresses), scripts: page.scripts };
  };
}
