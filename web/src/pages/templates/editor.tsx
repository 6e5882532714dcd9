import { useParams } from 'wouter';
import { getTemplate } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Opening } from '../../ui/editor/opening.tsx';
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
    <Opening
      name={template}
      section="templates"
      crumbs={[{ to: '/templates', label: t('nav.templates') }]}
      error={error}
      retry={() => void refetch()}
    />
  );
}
