import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { importBrand } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './brand.module.css';
import { type Brand, type Draft, draftOf } from './brand-draft.ts';

type ImportBrandProps = {
  readonly brand: Brand;
  /** Puts what was chosen into the form. */
  readonly take: (fields: Draft) => void;
  readonly close: () => void;
};

/** Reads a website, and proposes what it found field by field. Nothing is saved here. */
export function ImportBrand({ brand, take, close }: ImportBrandProps) {
  const t = useText();
  const [url, setUrl] = useState(brand.links?.['website'] ?? '');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [read, setRead] = useState<{ readonly fields: Draft; readonly where: Draft }>();
  const { write, isBusy, fault } = useWrite(importBrand, {
    changes: [],
    onDone: ({ proposal, found }) =>
      setRead({
        fields: draftOf(proposal),
        where: Object.fromEntries(found.map(({ field, where }) => [field, where])),
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ url: /^https?:/.test(url) ? url : `https://${url}` });
  };
  const saved = draftOf(brand);
  const news = Object.entries(read?.fields ?? {}).filter(([field, value]) => saved[field] !== value);
  const toggle = (field: string) =>
    setLeft(new Set(left.has(field) ? [...left].filter((one) => one !== field) : [...left, field]));
  return (
    <Dialog size="xl" onClose={close} title={t('brand.readSite')}>
      <div className="col gap4">
        <form className="row" onSubmit={submit}>
          <TextInput
            className="grow"
            aria-label={t('brand.siteAddress')}
            placeholder="https://fernandclay.com"
            required
            data-autofocus
            value={url}
            error={fault?.about('url')}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <Button type="submit" variant={read ? 'default' : 'filled'} loading={isBusy}>
            {t('brand.read')}
          </Button>
        </form>
        <FaultBanner fault={fault?.about('url') === undefined ? fault : null} />
        {!read && <p className="small dim">{t('brand.readAbout')}</p>}
        {read && news.length === 0 && <p className="mid">{t('brand.nothingNew')}</p>}
        {news.length > 0 && (
          <>
            <div className="scroll-x">
              <table className="ledger">
                <tbody>
                  {news.map(([field, value]) => (
                    <tr key={field}>
                      <td className="m">
                        <Checkbox
                          size="xs"
                          aria-label={t('brand.takeField', { field })}
                          checked={!left.has(field)}
                          onChange={() => toggle(field)}
                        />
                      </td>
                      <td className="mono small">{field}</td>
                      <td className={css.value}>
                        {saved[field] && <span className="was">{saved[field]}</span>}{' '}
                        <span className="now">
                          {field.startsWith('colors.') && (
                            <i className={css.dot} style={{ background: value }} />
                          )}
                          {value}
                        </span>
                      </td>
                      <td className="small dim opt">{read?.where[field]}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <div className="row dialog-acts">
              <Button variant="subtle" onClick={close}>
                {t('action.cancel')}
              </Button>
              <Button
                variant="filled"
                disabled={news.length === left.size}
                onClick={() => take(Object.fromEntries(news.filter(([field]) => !left.has(field))))}
              >
                {t('brand.take', { count: news.length - left.size })}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
