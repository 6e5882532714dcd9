import type { ComponentProps } from 'react';
import { useText } from '../../i18n/text.ts';
import { AfterAWhile } from '../after.tsx';
import { FaultBanner } from '../fault-banner.tsx';
import { Page } from '../page.tsx';

type OpeningProps = Pick<ComponentProps<typeof Page>, 'name' | 'section' | 'crumbs'> & {
  readonly error: Error | null;
  readonly retry: () => void;
};

/** The page of a template before the template is here, or why it does not come. */
export function Opening({ error, retry, ...page }: OpeningProps) {
  const t = useText();
  return (
    <Page {...page}>
      <FaultBanner fault={error} retry={retry} />
      {!error && (
        <AfterAWhile>
          <p role="status" className="mid">
            {t('editor.loading')}
          </p>
        </AfterAWhile>
      )}
    </Page>
  );
}
