import { expect, test } from 'vitest';
import { type Edit, editDocument } from '../../src/templates/edits.ts';

const mail = { html: '<p>Hello</p>\n<p>Hello again</p>\n<p>Bye</p>', subject: 'Hello' };
const edit = (old: string, next: string, field: Edit['field'] = 'html') => ({ old, new: next, field });

test('a text that occurs once is replaced, in the field named', () => {
  expect(editDocument(mail, {}, [edit('Bye', 'See you'), edit('Hello', 'Hi', 'subject')])).toEqual({
    html: '<p>Hello</p>\n<p>Hello again</p>\n<p>See you</p>',
    subject: 'Hi',
  });
});

test('an edit sees what the ones before it made', () => {
  const edits = [edit('Bye', 'See you'), edit('See you', 'See you soon')];
  expect(editDocument(mail, {}, edits)).toMatchObject({ html: expect.stringContaining('See you soon<') });
});

test('$ in a new text is a dollar', () => {
  expect(editDocument({ html: 'a b' }, {}, [edit('b', "$& $1 $'")])).toEqual({ html: "a $& $1 $'" });
});

test('line breaks of Windows are kept', () => {
  const html = '<p>\r\nHello\r\n</p>';
  expect(editDocument({ html }, {}, [edit('<p>\nHello', '<p>\nHi\nyou')])).toEqual({
    html: '<p>\r\nHi\r\nyou\r\n</p>',
  });
});

test('fields sent whole stay beside the edits of others', () => {
  expect(editDocument(mail, { subject: 'New' }, [edit('Bye', '')])).toEqual({
    html: '<p>Hello</p>\n<p>Hello again</p>\n<p></p>',
    subject: 'New',
  });
});

const fields = { field: 'html', number: 2 };
test.each([
  ['occurs twice', 'Hello', 'validation_failed.edit_repeated', { ...fields, count: 2, lines: '1, 2' }],
  ['occurs nowhere', 'Goodbye', 'validation_failed.edit_absent', fields],
  ['occurs with other spaces', '<p>Hello</p> <p>Hello', 'validation_failed.edit_spaces', fields],
])('a text that %s changes nothing, and the error says where', (_case, old, key, params) => {
  const error = expect.objectContaining({ key, params, errors: [expect.objectContaining({ key })] });
  expect(() => editDocument(mail, {}, [edit('Bye', 'x'), edit(old, 'y')])).toThrow(error);
});

test('overlapping places are several', () => {
  const error = expect.objectContaining({ params: { field: 'html', number: 1, count: 2, lines: '1' } });
  expect(() => editDocument({ html: 'aaa' }, {}, [edit('aa', 'b')])).toThrow(error);
});

test('a field is sent whole or edited, not both', () => {
  const error = expect.objectContaining({ key: 'validation_failed.edit_and_field' });
  expect(() => editDocument(mail, { html: 'new' }, [edit('Bye', 'x')])).toThrow(error);
});
