import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useText } from '../../i18n/text.ts';
import css from './today.module.css';

/** A topic leads to the generator, which has it in its form. */
export function QuickTopic() {
  const t = useText();
  const [, go] = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const [topic, setTopic] = useState('');
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (topic.trim() !== '') return go(`/generator?topic=${encodeURIComponent(topic.trim())}`);
    setRefused(true);
    field.current?.focus();
  };
  return (
    <form className={css.quick} onSubmit={submit}>
      <TextInput
        ref={field}
        label={t('generator.topic')}
        name="topic"
        autoComplete="off"
        value={topic}
        error={isRefused && t('generator.errors.topicRequired')}
        onChange={({ currentTarget }) => {
          setTopic(currentTarget.value);
          setRefused(false);
        }}
      />
      <Button type="submit">{t('today.writeHooks')}</Button>
    </form>
  );
}
