import { ApiFault, faultOfProblem, type Problem } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import type { putAsset } from '../../api/operations.gen.ts';
import { language } from '../../i18n/language.ts';
import { text } from '../../i18n/text.ts';
import { credentials } from '../../session/session.ts';

export type Stored = Output<typeof putAsset>;

/**
 * Sends the bytes of a file to a path of the library. It is a request of its own kind, since `fetch` does not tell how much of a
 * body is sent.
 * @throws ApiFault
 */
export function putFile(path: string, file: Blob, onProgress: (share: number) => void): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const url = `/v1/assets/${encodeURIComponent(path)}`;
    request.open('PUT', url);
    request.responseType = 'json';
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('Accept-Language', language());
    request.setRequestHeader('Stallhand-Client', 'web');
    // The bytes decide what a file is; a type of JSON would be read as a request.
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    for (const [name, value] of Object.entries(credentials(url))) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status < 300) resolve(request.response as Stored);
      else reject(faultOfProblem({ ...(request.response as Problem | null), status: request.status }));
    };
    request.onerror = () =>
      reject(
        new ApiFault({
          status: 0,
          code: 'offline',
          title: text('fault.offline.title'),
          message: text('fault.offline'),
        }),
      );
    request.send(file);
  });
}
