import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';

type ConnectionStateProps = {
  readonly status: 'connected' | 'reconnect_required' | 'disconnected';
  readonly paused: boolean;
  readonly isDemo: boolean;
};

/** Whether a store or a sheet can be synced, as far as is known. */
export function ConnectionState({ status, paused, isDemo }: ConnectionStateProps) {
  const t = useText();
  if (paused) return <State kind="void">{t('sync.state.paused')}</State>;
  if (status !== 'connected') return <State kind="err">{t('sync.state.reconnect')}</State>;
  return <State kind="ok">{t(isDemo ? 'sync.state.demo' : 'sync.state.connected')}</State>;
}
