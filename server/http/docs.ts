import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Express, Request } from 'express';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { systemRoutes } from '../../shared/api/system.ts';
import { sha256Hex } from '../platform/hash.ts';
import { type ServedRoute, serve } from './handler.ts';
import type { Json } from './json-schema.ts';
import { type Described, openApiDocument } from './openapi.ts';
import { FileReply } from './reply.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Faxdesk API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>nav { padding: 12px 20px; font: 14px sans-serif } select { font: inherit; margin-left: 8px; padding: 4px }</style>
</head>
<body>
<nav><label>Description
<select id="description"><option value="openapi.json">The API for programs</option><option value="openapi-console.json">Routes of the console’s window alone</option></select></label></nav>
<main id="docs"><noscript>This page needs JavaScript; <a href="openapi.json">openapi.json</a> does not.</noscript></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script type="module" src="docs/start.js"></script>
</body>
</html>
`;

/** Script of the page. It adds the examples, which are in a file apart to keep the description small for programs. */
const PAGE_SCRIPT = `const read = async (address) => (await fetch(address)).json();
const examples = await read('docs/examples.json');

/** Returns the body with the example. A component is copied, because other operations share it. */
const withExample = (spec, part, type, example) => {
  const name = part.$ref?.split('/').at(-1);
  const own = name ? spec.components.responses[name] : part;
  const content = own.content?.[type];
  if (!content || example === null || example === undefined) return part;
  return { ...own, content: { ...own.content, [type]: { ...content, example } } };
};
const select = document.querySelector('#description');
const show = async () => {
  const spec = await read(select.value);
  for (const operation of Object.values(spec.paths).flatMap(Object.values)) {
    const { request, status, answer } = examples[operation.operationId] ?? {};
    if (!request) continue;
    if (operation.requestBody)
      operation.requestBody = withExample(spec, operation.requestBody, 'application/json', request.json);
    operation.responses[status] = withExample(spec, operation.responses[status], 'application/json', answer);
  }
  SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    deepLinking: true,
    persistAuthorization: false,
    validatorUrl: null,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    filter: true,
  });
};
select.addEventListener('change', show);
await show();
`;

/** File with an example call of each route, recorded by a test, by operation ID. */
const EXAMPLES = fileURLToPath(new URL('../../resources/api-examples.json', import.meta.url));

/** Content security policy of the page: it sets styles inline, but loads scripts only from the gateway. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Returns the routes of the API descriptions. Each description is created at its first request, because creating it takes
 * a large part of a start and it is seldom requested. See openApiDocument.
 */
export function openApiRoutes(
  routes: readonly RouteDefinition[],
  version: string,
  names: Readonly<Record<string, readonly string[]>> = {},
): ServedRoute[] {
  const written = new Map<Described, DescriptionForms>();
  const answer = (described: Described, isCompressed: boolean): FileReply => {
    const forms = written.get(described) ?? formsOf(openApiDocument(routes, version, names, described));
    written.set(described, forms);
    const { bytes, sha256 } = isCompressed ? forms.compressed : forms.plain;
    return new FileReply(bytes, {
      contentType: 'application/json; charset=utf-8',
      sha256,
      headers: {
        'Cache-Control': 'no-cache',
        Vary: 'Accept-Encoding',
        ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
      },
    });
  };
  const acceptsGzip = (request: Request): boolean => request.acceptsEncodings('gzip') === 'gzip';
  return [
    serve(systemRoutes.openapi, async ({ request }) => answer('api', acceptsGzip(request))),
    serve(systemRoutes.consoleOpenapi, async ({ request }) => answer('console', acceptsGzip(request))),
  ];
}

/** A description as plain JSON and compressed with gzip, each with its digest. */
type DescriptionForms = Readonly<Record<'plain' | 'compressed', { bytes: Uint8Array; sha256: string }>>;

function formsOf(document: Json): DescriptionForms {
  const plain = Buffer.from(JSON.stringify(document));
  const compressed = gzipSync(plain);
  return {
    plain: { bytes: plain, sha256: sha256Hex(plain) },
    compressed: { bytes: compressed, sha256: sha256Hex(compressed) },
  };
}

/** Serves the interactive page at `/docs`. All its files are part of the package, so it works without the internet. */
export function mountDocs(app: Express): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  app.get('/docs', (request, response) => {
    // The page loads its files by relative addresses, so that it also works under the path of a reverse proxy.
    if (request.path.endsWith('/')) {
      response.redirect(308, '../docs');
      return;
    }
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').send(PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(PAGE_SCRIPT);
  });
  const files = {
    'swagger-ui.css': join(folder, 'swagger-ui.css'),
    'swagger-ui-bundle.js': join(folder, 'swagger-ui-bundle.js'),
    'examples.json': EXAMPLES,
  };
  for (const [name, file] of Object.entries(files))
    app.get(`/docs/${name}`, (_request, response) => {
      response.sendFile(file, {
        cacheControl: false,
        etag: false,
        lastModified: false,
        acceptRanges: false,
      });
    });
}
