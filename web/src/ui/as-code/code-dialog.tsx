import '../styles/segmented.ts';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { Dialog } from '../dialog.tsx';
import { Sample } from '../sample.tsx';
import { type Shown, writtenCalls } from './written-calls.ts';

/** One call in three ways of writing it. */
export function CodeDialog({ onClose, ...shown }: Shown & { readonly onClose: () => void }) {
  const t = useText();
  const { data: config } = useServerConfig();
  const hasKeys = config?.auth.mode !== 'open';
  const calls = writtenCalls(shown, { origin: location.origin, hasKeys });
  const [way, setWay] = useState<keyof typeof calls>('curl');
  return (
    <Dialog title={t('code.show')} onClose={onClose} size="lg">
      <div className="col gap3">
        <SegmentedControl
          aria-label={t('code.way')}
          value={way}
          onChange={(value) => setWay(value as typeof way)}
          data={[
            { value: 'curl', label: 'curl' },
            { value: 'typescript', label: 'TypeScript' },
            { value: 'mcp', label: 'MCP' },
          ]}
        />
        <Sample name={t('code.show')} code={calls[way]} />
        {hasKeys && way !== 'mcp' && <p className="small dim">{t('code.key')}</p>}
      </div>
    </Dialog>
  );
}
