type Of = { readonly accountId: string; readonly videoId: string };

/** Where what belongs to a video is kept. What a later attempt makes never takes the place of what an earlier one did. */
export const blobKeys = {
  /** Of all that a video has. */
  video: ({ accountId, videoId }: Of) => `videos/${accountId}/${videoId}`,
  composition: (of: Of) => `${blobKeys.video(of)}/composition`,
  /** A file of one attempt at a step, such as a chunk or the poster. */
  step: (of: Of, { id, attempt }: { readonly id: string; readonly attempt: number }, name: string) =>
    `${blobKeys.video(of)}/${id}-${attempt}-${name}`,
};

const KEY = /^videos\/(acc_\w+)\/(vid_\w+)\/(composition)?/;

/** Whose a key is; undefined for what is no video's. */
export function ownerOf(
  key: string,
): { accountId: string; videoId: string; isComposition: boolean } | undefined {
  const [, accountId, videoId, composition] = KEY.exec(key) ?? [];
  return accountId && videoId ? { accountId, videoId, isComposition: composition !== undefined } : undefined;
}
