import { useSearch } from 'wouter';
import { listVideoTemplates } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import type { Data } from './data-schema.ts';
import { Make } from './make.tsx';

/**
 * A new video. The address may say from what: `?hook=…` is the first words of a hook, and `?template=product&name=…&price=…` fills
 * the fields of these names.
 */
export function NewVideo() {
  const t = useText();
  const given = Object.fromEntries(new URLSearchParams(useSearch()));
  const { data, error, refetch } = useRead(listVideoTemplates, {});
  const {
    template = given['hook'] === undefined ? 'product' : 'hook',
    title = given['hook'] ?? given['name'],
  } = given;
  if (data) {
    const chosen = data.items.find(({ name }) => name === template) ?? data.items[0];
    if (chosen)
      return <Make templates={data.items} template={chosen} title={title ?? ''} data={dataOf(given)} />;
  }
  return (
    <Page name={t('videos.new')} section="videos" crumbs={[{ to: '/videos', label: t('nav.videos') }]}>
      <FaultBanner fault={error} retry={() => void refetch()} />
    </Page>
  );
}

/** What of the address are fields of the data. */
function dataOf({
  template: _template,
  title: _title,
  aspect: _aspect,
  ...fields
}: Record<string, string>): Data {
  return fields;
}
