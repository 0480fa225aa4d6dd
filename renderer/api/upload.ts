export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** Returns a `fetch` that reports the progress of the upload, which the browser's own cannot. */
export function fetchReporting(onProgress: (progress: UploadProgress) => void): typeof fetch {
  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init?.method ?? 'GET', input instanceof Request ? input.url : input);
      request.responseType = 'arraybuffer';
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onProgress({ sentBytes: loaded, totalBytes: total }),
      );
      request.addEventListener('load', () => resolve(responseOf(request)));
      request.addEventListener('error', () => reject(new TypeError('The upload broke off.')));
      request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      init?.signal?.addEventListener('abort', () => request.abort());
      request.send((init?.body ?? null) as XMLHttpRequestBodyInit | null);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/u);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
  });
  return new Response(request.response as ArrayBuffer, { status: request.status, headers });
}
