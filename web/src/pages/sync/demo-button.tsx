import { Button } from '@mantine/core';
import { connectDemo, getSyncUsage, listSheets, listStores } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';

type DemoButtonProps = { readonly variant?: 'filled' | 'default' | 'subtle'; readonly onDone?: () => void };

/** Connects the demo store and the demo sheet, where the server has them. */
export function DemoButton({ variant = 'default', onDone }: DemoButtonProps) {
  const t = useText();
  const { data: config } = useServerConfig();
  const { write, isBusy, fault } = useWrite(connectDemo, {
    changes: [listStores, listSheets, getSyncUsage],
    onDone: () => onDone?.(),
  });
  if (!config?.connect.demo) return null;
  return (
    <>
      <Button variant={variant} loading={isBusy} onClick={() => write({})}>
        {t('sync.demo')}
      </Button>
      <FaultBanner fault={fault} />
    </>
  );
}
