import { retryVideo } from '../../api/operations.gen.ts';
import type { Video } from './facts.ts';

/** A text in the language of the page. */
type Say = (key: 'video.pressRetry' | 'video.retry', values?: Readonly<Record<string, string>>) => string;

/** Why a video failed and what to press: the server's words, with the name of the button where they name the request of REST. */
export function failureWords({ id, error }: Pick<Video, 'id' | 'error'>, t: Say): string | undefined {
  const button = t('video.pressRetry', { button: t('video.retry') });
  return error?.message.replaceAll(retryVideo.replace('{video_id}', id), button);
}
