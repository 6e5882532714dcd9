import '../../ui/styles/select.ts';
import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { getBrand, saveBrand } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import css from './brand.module.css';
import { type Brand, changedFields, changeOf, type Draft, draftOf } from './brand-draft.ts';
import { Facts, Looks, Voice } from './brand-fields.tsx';
import { BrandPreview } from './brand-preview.tsx';

type BrandEditorProps = {
  readonly brand: Brand;
  /** Fields taken from a proposal, which fill the form. */
  readonly taken: Draft;
  readonly readSite: ReactNode;
};

/** The form of a brand beside what it looks like. */
export function BrandEditor({ brand, taken, readSite }: BrandEditorProps) {
  const t = useText();
  const form = useId();
  const [, choose] = useSearchParam('brand');
  const saved = draftOf(brand);
  const [draft, setDraft] = useState(saved);
  useEffect(() => setDraft((typed) => ({ ...typed, ...taken })), [taken]);
  const changed = changedFields(saved, draft);
  const { write, isBusy, fault } = useWrite(saveBrand, {
    changes: [getBrand],
    said: t('brand.saved'),
    onDone: (now) => setDraft(draftOf(now)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ ...changeOf(saved, draft), brand: brand.brand, expected_version: brand.version });
  };
  const parts = {
    draft,
    set: (field: string, value: string) => setDraft((typed) => ({ ...typed, [field]: value })),
    errorAt: (field: string) =>
      fault?.errors.find(({ loc }) => loc.slice(1).join('.') === field || loc.join('.') === field)?.msg,
  };
  const isPlaced = fault !== null && fault.errors.length > 0;
  return (
    <Page
      name={t('nav.brand')}
      actions={
        <>
          {brand.brands.length > 1 && (
            <NativeSelect
              aria-label={t('brand.which')}
              value={brand.brand}
              data={brand.brands}
              onChange={(event) => choose(event.currentTarget.value)}
            />
          )}
          {readSite}
          <Button type="submit" form={form} variant="filled" loading={isBusy} disabled={changed.length === 0}>
            {t('brand.save')}
          </Button>
        </>
      }
    >
      <div className={css.brand}>
        <form id={form} className="col gap5" onSubmit={submit}>
          {!isPlaced && <FaultBanner fault={fault} />}
          {isPlaced && <Banner tone="err" title={t('fault.invalid.title')} id={fault.requestId} />}
          {changed.length > 0 && (
            <p className="small dim" role="status">
              {t('brand.notSaved', { count: changed.length })}
            </p>
          )}
          <Looks
            {...parts}
            warnings={brand.warnings}
            hasNewColors={changed.some((one) => one.startsWith('colors.'))}
          />
          <Voice {...parts} />
          <Facts {...parts} />
        </form>
        <BrandPreview brand={brand.brand} version={brand.version} draft={draft} />
      </div>
    </Page>
  );
}
