import { useLocation } from 'wouter';
import { getVideoTemplate, listVideoTemplates, saveVideoTemplate } from '../../../api/operations.gen.ts';
import { useRead } from '../../../api/read.ts';
import { useWrite } from '../../../api/write.ts';
import { text, useText } from '../../../i18n/text.ts';
import { useSearchParam } from '../../../search-param.ts';
import { NewTemplateDialog } from '../../../ui/editor/new-template-dialog.tsx';
import { titleOf, type VideoTemplate } from '../template-words.ts';
import { pathOf } from './path.ts';
import type { Manifest } from './template-fields.ts';

type NewTemplateProps = { readonly templates: readonly VideoTemplate[]; readonly close: () => void };

/** A template of one's own: blank, or a copy of any other. */
export function NewTemplate({ templates, close }: NewTemplateProps) {
  const t = useText();
  const [, go] = useLocation();
  const [from, setFrom] = useSearchParam('from');
  const copied = useRead(getVideoTemplate, { template: from }, { enabled: from !== '' });
  const { write, isBusy, fault } = useWrite(saveVideoTemplate, {
    changes: [listVideoTemplates],
    onDone: (made) => go(pathOf(made.name)),
  });
  const source = from === '' ? blank() : copied.data;
  const create = (name: string) => {
    if (!source) return;
    const { html, manifest } = source;
    write({
      template: name,
      html,
      manifest: { ...manifest, title: titleFrom(name) } as Manifest,
      // A name that is taken is refused, not replaced.
      expected_version: 0,
    });
  };
  return (
    <NewTemplateDialog
      title={t('videoEditor.new')}
      nameHint={t('videoEditor.nameHint')}
      choices={templates.map((one) => ({ value: one.name, label: titleOf(one) }))}
      from={from}
      setFrom={setFrom}
      create={create}
      isBusy={isBusy}
      isWaiting={!source}
      fault={fault ?? copied.error}
      wrongName={fault?.about('template') ?? (fault?.code === 'name_taken' ? fault.message : undefined)}
      close={close}
    />
  );
}

/** `opening-day` → `Opening day`. */
function titleFrom(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The smallest template that shows what there is: a variable, scenes, an animation. */
function blank(): { readonly html: string; readonly manifest: Omit<Manifest, 'title'> } {
  return {
    html: BLANK,
    manifest: {
      schema: {
        type: 'object',
        properties: { cta: { type: 'string', title: text('videoEditor.blankField'), maxLength: 60 } },
      },
      sample: { title: text('videoEditor.blankTitle'), cta: text('videoEditor.blankCta') },
      duration: 6,
    },
  };
}

const BLANK = `<!doctype html>
<html>
<head>
  <meta charset="utf-8">
  <style>
    #stage { background: #12543f; color: #fff; font-family: 'Inter Variable', sans-serif; }
    section { display: grid; place-content: center; height: 100cqh; padding: 10cqmin; text-align: center; }
    h1 { font-size: 13cqmin; line-height: 1.1; margin: 0; text-wrap: balance; }
    .rises { animation: rise .6s ease-out both; }
    @keyframes rise { from { opacity: 0; transform: translateY(8cqmin); } }
  </style>
</head>
<body>
  <div id="stage">
    <section data-scene data-weight="2" data-out="fade 0.4"><h1 class="rises">{{title}}</h1></section>
    <section data-scene><h1 data-split="words">{{cta}}</h1></section>
  </div>
</body>
</html>
`;
