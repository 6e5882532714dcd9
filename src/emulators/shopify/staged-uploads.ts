import { createHash } from 'node:crypto';
import type { UserError } from './faults.ts';
import { refuseLong, userError } from './faults.ts';

export const UPLOAD_PATH = '/staged-uploads';

const INPUTS_MOST = 250;
const BYTES_MOST = 100 * 1024 * 1024;

type UploadInput = {
  readonly resource: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly httpMethod: 'POST' | 'PUT';
};
type Parameter = { readonly name: string; readonly value: string };

export type StagedUploads = ReturnType<typeof createStagedUploads>;

/** Places where files are put before a bulk mutation reads them: a form of parameters, and the file at its end. */
export function createStagedUploads(origin: string) {
  /** Of a key, what has to be sent with it. */
  const targets = new Map<string, readonly Parameter[]>();
  const files = new Map<string, string>();

  function target({ filename, mimeType }: UploadInput) {
    const key = `tmp/1/bulk/${targets.size + 1}/${filename}`;
    const parameters = [
      { name: 'Content-Type', value: mimeType },
      { name: 'success_action_status', value: '201' },
      { name: 'acl', value: 'private' },
      { name: 'key', value: key },
      { name: 'policy', value: Buffer.from(JSON.stringify({ key })).toString('base64') },
      { name: 'x-goog-signature', value: createHash('sha256').update(key).digest('hex') },
    ];
    targets.set(key, parameters);
    return { url: `${origin}${UPLOAD_PATH}`, resourceUrl: `${origin}${UPLOAD_PATH}/${key}`, parameters };
  }

  return {
    stagedUploadsCreate({ input }: { readonly input: readonly UploadInput[] }) {
      refuseLong(input, INPUTS_MOST);
      const userErrors = input.flatMap(errorsOf);
      return { stagedTargets: userErrors.length > 0 ? null : input.map(target), userErrors };
    },
    /** The answer to the form that brings a file. */
    async put(form: FormData): Promise<Response> {
      const parameters = targets.get(String(form.get('key')));
      if (!parameters) return trouble(403, 'AccessDenied', 'The policy knows no such key.');
      const wrong = parameters.find(({ name, value }) => form.get(name) !== value);
      if (wrong)
        return trouble(403, 'SignatureDoesNotMatch', `The form does not send ${wrong.name} as it was given.`);
      const [last] = [...form.keys()].slice(-1);
      const file = form.get('file');
      if (last !== 'file' || !(file instanceof File)) {
        return trouble(400, 'InvalidArgument', 'The file has to be the last field of the form.');
      }
      if (file.size > BYTES_MOST) return trouble(400, 'EntityTooLarge', 'The file is larger than 100 MB.');
      files.set(String(form.get('key')), await file.text());
      return new Response('<PostResponse/>', { status: 201, headers: { 'content-type': 'application/xml' } });
    },
    /** What was put there. */
    read: (key: string) => files.get(key),
  };
}

function errorsOf({ httpMethod, filename }: UploadInput, index: number): readonly UserError[] {
  const field = ['input', String(index)];
  if (httpMethod !== 'POST') {
    return [userError([...field, 'httpMethod'], null, 'Variables of a bulk mutation are sent by POST')];
  }
  return filename.trim() === '' ? [userError([...field, 'filename'], null, "Filename can't be blank")] : [];
}

function trouble(status: number, code: string, message: string): Response {
  const xml = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(xml, { status, headers: { 'content-type': 'application/xml' } });
}
