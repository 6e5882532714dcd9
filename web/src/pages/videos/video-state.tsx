import { type TextKey, useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import type { Video } from './facts.ts';

const KINDS = {
  pending: 'void',
  rendering: 'run',
  finalizing: 'run',
  completed: 'ok',
  failed: 'err',
  canceled: 'void',
} as const satisfies Record<Video['status'], string>;

/** Where a video is on its way, as a shape and a word. */
export function VideoState({ status }: Pick<Video, 'status'>) {
  const t = useText();
  return <State kind={KINDS[status]}>{t(`video.${status}` satisfies TextKey)}</State>;
}
