import { ActionIcon, TextInput } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Asset } from './asset.ts';

const AssetPicker = lazy(() =>
  import('./asset-picker.tsx').then(({ AssetPicker: One }) => ({ default: One })),
);

type FileFieldProps = {
  readonly label: string;
  readonly type: Asset['type'];
  /** An https address or `asset:PATH`. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
  readonly withAsterisk?: boolean;
};

/** An address of a file, typed or chosen among the assets. */
export function FileField({ label, type, value, onChange, error, withAsterisk }: FileFieldProps) {
  const t = useText();
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <TextInput
        size="xs"
        label={label}
        error={error}
        withAsterisk={withAsterisk ?? false}
        placeholder={type === 'font' ? 'Inter' : 'asset:images/…'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSectionPointerEvents="all"
        rightSection={
          <ActionIcon
            size={28}
            title={t('assets.chooseFor', { field: label })}
            aria-label={t('assets.chooseFor', { field: label })}
            onClick={() => setChoosing(true)}
          >
            <FolderOpen className="icon s" />
          </ActionIcon>
        }
      />
      {isChoosing && (
        <Suspense>
          <AssetPicker
            title={t('assets.chooseFor', { field: label })}
            type={type}
            choose={({ reference }) => {
              onChange(reference);
              setChoosing(false);
            }}
            close={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  );
}
