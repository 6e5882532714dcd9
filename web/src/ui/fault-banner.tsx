import { Button } from '@mantine/core';
import { ApiFault } from '../api/fault.ts';
import { useText } from '../i18n/text.ts';
import { Banner } from './banner.tsx';

type FaultBannerProps = {
  readonly fault: Error | null;
  readonly retry?: (() => void) | undefined;
};

/** A failed call on screen: the server's words, the request's ID, and the way to try again. Nothing where none failed. */
export function FaultBanner({ fault, retry }: FaultBannerProps) {
  const t = useText();
  if (fault === null) return null;
  const { title, requestId } = fault instanceof ApiFault ? fault : { title: t('crash.title'), requestId: '' };
  const details = fault instanceof ApiFault ? fault.errors.map(({ msg }) => msg) : [];
  return (
    <Banner
      tone="err"
      title={title}
      id={requestId}
      action={
        retry && (
          <Button size="xs" onClick={retry}>
            {t('action.retry')}
          </Button>
        )
      }
    >
      {[fault.message, ...details].filter((part, at, all) => all.indexOf(part) === at).join(' ')}
    </Banner>
  );
}
