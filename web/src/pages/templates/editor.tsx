import { useParams } from 'wouter';
import { getTemplate } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { Workbench } from './workbench.tsx';

/** The editor of one template on one branch. */
export function Editor() {
  const t = useText();
  const { name = '' } = useParams<{ name: string }>();
  const template = decodeURIComponent(name);
  const [chosen] = useSearchParam('branch');
  const branch = chosen || 'main';
  const { data, error, refetch } = useRead(getTemplate, { template, branch, include: 'html' });
  if (data && data.name === template && data.branch === branch)
    return <Workbench key={`${template} ${branch}`} template={data} branch={branch} />;
  return (
    <Page name={template} section="templates" crumbs={[{ to: '/templates', label: t('nav.templates') }]}>
      <FaultBanner fault={error} retry={() => void refetch()} />
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
