import type { App } from '../../../src/app.ts';
import type { FileClaim } from '../../../src/files/files.ts';
import type { Caller } from '../../../src/identity/caller.ts';

const PARTS = { file: 'file', poster: 'poster', 'captions.vtt': 'captions' } as const;

/**
 * The file that an answer linked to, by the address of the link, for clients that speak MCP and cannot fetch it; and the
 * parts of a video by `video://{video_id}/{part}`.
 */
export async function linkedFile(
  uri: string,
  { files, videos }: Pick<App, 'files' | 'videos'>,
  { accountId }: Caller,
) {
  const claim = claimOf(uri);
  const file = claim && (await files.open({ ...claim, accountId }));
  return file ? { ...file, mediaType: file.media_type } : videoPart(uri, videos, accountId);
}

/** `…/videos/<id>/<part>?token=<token>`, or `video://<id>/<part>` of the caller's own. */
async function videoPart(uri: string, videos: Pick<App['videos'], 'links' | 'openFile'>, accountId: string) {
  const [, own, ownPart] = /^video:\/\/(vid_\w+)\/(file|poster|captions\.vtt)$/.exec(uri) ?? [];
  if (own && isPart(ownPart)) return videos.openFile(accountId, own, PARTS[ownPart]);
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const [, id, name] = /\/videos\/(vid_\w+)\/(file|poster|captions\.vtt)$/.exec(url?.pathname ?? '') ?? [];
  if (!url || !id || !isPart(name)) return undefined;
  const owner = await videos.links.accountOf(id, url.searchParams.get('token') ?? '');
  return owner === undefined ? undefined : videos.openFile(owner, id, PARTS[name]);
}

function isPart(name: string | undefined): name is keyof typeof PARTS {
  return name !== undefined && Object.hasOwn(PARTS, name);
}

/** What a link claims: `…/v1/files/<id>?token=<token>`. */
function claimOf(uri: string): FileClaim | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const id = url && /\/v1\/files\/(file_\w+)$/.exec(url.pathname)?.[1];
  if (!id) return undefined;
  const token = url.searchParams.get('token');
  return { id, ...(token !== null && { token }) };
}
