import '../../ui/styles/select.ts';
import '../../ui/styles/switch.ts';
import { ActionIcon, Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useText } from '../../i18n/text.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { FileField } from '../assets/file-field.tsx';
import { type Data, emptyOf, type Field, isData, isList, type Json } from './data-schema.ts';
import css from './make.module.css';

type Path = readonly (string | number)[];

type FormParts = {
  /** What a field is called in the reader's language. */
  readonly labelOf: (name: string, title: string | undefined) => string;
  /** What the schema says of a field, where the reader can be shown it. */
  readonly aboutOf: (field: Field) => string | undefined;
  /** What the server says of the value at a place, such as `items.0.title`. */
  readonly errorAt: (path: Path) => string | undefined;
};

type DataFormProps = FormParts & {
  readonly fields: readonly Field[];
  readonly data: Data;
  readonly onChange: (data: Data) => void;
};

/** A form for the data of a template, by the schema of the template. */
export function DataForm({ fields, data, onChange, ...parts }: DataFormProps) {
  return (
    <Fields
      fields={fields}
      data={data}
      path={[]}
      onChange={(name, value) => onChange({ ...data, [name]: value })}
      {...parts}
    />
  );
}

type FieldsProps = FormParts & {
  readonly fields: readonly Field[];
  readonly data: Data;
  readonly path: Path;
  readonly onChange: (name: string, value: Json) => void;
};

function Fields({ fields, data, path, onChange, ...parts }: FieldsProps) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      label={parts.labelOf(field.name, field.title)}
      value={data[field.name]}
      path={[...path, field.name]}
      onChange={(value) => onChange(field.name, value)}
      {...parts}
    />
  ));
}

type OneFieldProps = FormParts & {
  readonly field: Field;
  readonly label: string;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly onChange: (value: Json) => void;
};

function OneField({ field, label, value, path, onChange, ...parts }: OneFieldProps) {
  const written = value === undefined || typeof value === 'object' ? '' : String(value);
  const shared = { label, error: parts.errorAt(path), withAsterisk: field.isRequired };
  if (field.kind === 'list') return <ListField {...{ field, label, value, path, onChange, ...parts }} />;
  if (field.kind === 'group')
    return (
      <fieldset className={css.group}>
        <legend>{label}</legend>
        <Fields
          fields={field.fields}
          data={isData(value) ? value : {}}
          path={path}
          onChange={(name, part) => onChange({ ...(isData(value) ? value : {}), [name]: part })}
          {...parts}
        />
      </fieldset>
    );
  if (field.kind === 'switch')
    return (
      <Switch
        label={label}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  if (field.kind === 'choice')
    return (
      <NativeSelect
        size="xs"
        {...shared}
        value={written}
        data={['', ...field.options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (field.kind === 'file')
    return <FileField {...shared} type="image" value={written} onChange={(address) => onChange(address)} />;
  if (field.kind === 'number')
    return (
      <TextInput
        size="xs"
        {...shared}
        description={parts.aboutOf(field)}
        inputMode={field.isWhole ? 'numeric' : 'decimal'}
        value={written}
        onChange={(event) => onChange(numberOrText(event.currentTarget.value))}
      />
    );
  const text = {
    ...shared,
    description: parts.aboutOf(field),
    value: written,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  return field.kind === 'long' ? <TextArea size="xs" {...text} /> : <TextInput size="xs" {...text} />;
}

/** Several of one field: one line each, or one group of fields each. */
function ListField({
  field,
  label,
  value,
  path,
  onChange,
  ...parts
}: OneFieldProps & { readonly field: Field & { readonly kind: 'list' } }) {
  const t = useText();
  const entries = isList(value) ? value : [];
  const change = (at: number, entry: Json) => onChange(entries.map((one, i) => (i === at ? entry : one)));
  const error = parts.errorAt(path);
  return (
    <fieldset className={css.list} aria-invalid={error !== undefined || undefined}>
      <legend>
        {label}
        {field.isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are told apart by their place alone
        <div key={at} className={css.entry}>
          <div className="col gap3 grow">
            <OneField
              {...parts}
              field={{ ...field.item, isRequired: false }}
              label={t('make.entry', { field: label, number: at + 1 })}
              value={entry}
              path={[...path, at]}
              onChange={(changed) => change(at, changed)}
            />
          </div>
          <ActionIcon
            aria-label={t('make.removeEntry', { field: label, number: at + 1 })}
            onClick={() => onChange(entries.filter((_, i) => i !== at))}
          >
            <X className="icon s" />
          </ActionIcon>
        </div>
      ))}
      {error && <p className={css.error}>{error}</p>}
      {(field.most === undefined || entries.length < field.most) && (
        <Button
          size="xs"
          variant="subtle"
          className={css.add}
          leftSection={<Plus className="icon s" />}
          onClick={() => onChange([...entries, emptyOf(field.item)])}
        >
          {t('make.addEntry', { field: label })}
        </Button>
      )}
    </fieldset>
  );
}

/** `24` is a number; what is none is sent as it is, and the server says so beside the field. */
function numberOrText(written: string): Json {
  const value = Number(written.replace(',', '.'));
  return written.trim() === '' || /[.,]$/.test(written) || !Number.isFinite(value) ? written : value;
}
