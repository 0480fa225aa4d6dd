import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { ROOT } from '../../scripts/steps.ts';
import { createProgram } from '../../server/cli/program.ts';
import { RELEASE } from '../../server/config/release.ts';
import { dockerInstructions } from './dockerfile.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
// Files of several tools, of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Yaml = any;

const COMPOSE: Yaml = parseYaml(textOf('deploy/compose.yaml'));
const KUBERNETES = ['namespace.yaml', 'gateway.yaml', 'service.yaml'];
const MANIFESTS: Yaml[] = KUBERNETES.flatMap((name) =>
  parseAllDocuments(textOf(`deploy/kubernetes/${name}`)).map((document) => {
    expect(document.errors, name).toEqual([]);
    return document.toJS();
  }),
);
const GATEWAY = MANIFESTS.find(({ kind }) => kind === 'StatefulSet');
const [CONTAINER] = GATEWAY.spec.template.spec.containers;
const WORKFLOW: Yaml = parseYaml(textOf('.github/workflows/deploy.yml'));

describe('the Dockerfile', () => {
  const all = dockerInstructions();
  const named = (name: string) => all.filter((it) => it.name === name).map(({ words }) => words);

  it('names a release of each base image', () => {
    for (const image of named('FROM')) expect(image).toMatch(/^[a-z/]+:[\w.-]*\d[\w.-]*( AS \w+)?$/u);
  });

  it('copies only what is there', () => {
    const sources = named('COPY').filter((words) => !words.startsWith('--from='));
    for (const words of sources)
      for (const source of words.split(' ').slice(0, -1))
        expect(existsSync(join(ROOT, source)), source).toBe(true);
    const copied = named('COPY').find((words) => words.startsWith('--from=build'));
    expect(named('RUN').some((words) => words.endsWith(` ${copied?.split(' ')[1]}`))).toBe(true);
  });

  it('runs as an account that is not root, by its number', () => {
    expect(named('USER').at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/u);
    expect(all.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      all.findLastIndex(({ name }) => name === 'RUN'),
    );
  });

  it('leaves no package lists behind, and installs nothing that is only recommended', () => {
    for (const words of named('RUN').filter((it) => it.includes('apt-get install'))) {
      expect(words).toContain('--no-install-recommends');
      expect(words).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });

  it('starts and checks it with commands that there are', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of named('RUN').flatMap((it) => [...it.matchAll(/npm run (\S+)/gu)]))
      expect(scripts).toHaveProperty(script);
    const commands = createProgram().commands.map((command) => command.name());
    const check = /CMD (\[.*\])$/u.exec(named('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]';
    expect(commands).toEqual(
      expect.arrayContaining([
        ...(JSON.parse(check) as string[]).slice(1),
        ...(JSON.parse(named('CMD')[0] ?? '[]') as string[]),
      ]),
    );
    expect(JSON.parse(named('ENTRYPOINT')[0] ?? '[]').at(-1)).toBe('/usr/lib/faxdesk/server/faxdesk.mjs');
  });
});

describe('the file for compose', () => {
  it('builds the Dockerfile, and starts it over a root folder that is only read', () => {
    const { gateway } = COMPOSE.services;
    expect(existsSync(join(ROOT, 'deploy', gateway.build.context, gateway.build.dockerfile))).toBe(true);
    expect(gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'], image: `faxdesk:${RELEASE}` });
  });

  it('depends on services that there are, and asks for every password', () => {
    for (const [name, service] of Object.entries<Yaml>(COMPOSE.services)) {
      expect(service.image, name).toMatch(/:[\w.-]*\d[\w.-]*$/u);
      for (const other of Array.isArray(service.depends_on)
        ? service.depends_on
        : Object.keys(service.depends_on ?? {}))
        expect(COMPOSE.services, name).toHaveProperty(other);
      for (const volume of service.volumes ?? [])
        expect(COMPOSE.volumes, name).toHaveProperty(volume.split(':')[0]);
    }
    const text = textOf('deploy/compose.yaml');
    const asked = [...text.matchAll(/\$\{(\w+)/gu)].map(([, name]) => name);
    const example = textOf('deploy/compose.env.example');
    for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=`, 'mu'));
    expect(text).not.toMatch(/PASSWORD: (?!\$)/u);
  });

  it('names only settings that there are', () => {
    const known = `${textOf('docs/settings.md')}${textOf('server/config/env.ts')}`;
    for (const name of Object.keys(COMPOSE.services.gateway.environment)) expect(known).toContain(name);
  });
});

describe('the manifests for Kubernetes', () => {
  it('are those that kustomize takes', () => {
    const list: Yaml = parseYaml(textOf('deploy/kubernetes/kustomization.yaml'));
    expect(list.resources.toSorted()).toEqual(KUBERNETES.toSorted());
    for (const manifest of MANIFESTS)
      expect(manifest).toMatchObject({ apiVersion: expect.any(String), metadata: { name: 'faxdesk' } });
  });

  it('run the image as its account, without rights', () => {
    const user = dockerInstructions().find(({ name }) => name === 'USER');
    const { runAsUser, runAsGroup } = GATEWAY.spec.template.spec.securityContext;
    expect(`${runAsUser}:${runAsGroup}`).toBe(user?.words);
    expect(CONTAINER.image).toBe(COMPOSE.services.gateway.image);
    expect(CONTAINER.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('ask routes that there are, at a port that the gateway has', () => {
    const routes = textOf('shared/api/system.ts');
    const ports: Yaml[] = CONTAINER.ports;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = CONTAINER[probe].httpGet;
      expect(routes).toContain(`path: '${path}'`);
      expect(ports.map(({ name }) => name)).toContain(port);
    }
  });

  it('lead the service to the gateway, and mount only volumes that there are', () => {
    const service = MANIFESTS.find(({ kind }) => kind === 'Service');
    expect(GATEWAY.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    const { volumes } = GATEWAY.spec.template.spec;
    const there = [...volumes, ...GATEWAY.spec.volumeClaimTemplates.map(({ metadata }: Yaml) => metadata)];
    const mounted = CONTAINER.volumeMounts.map(({ name }: Yaml) => name);
    expect(new Set(there.map(({ name }) => name))).toEqual(new Set(mounted));
  });
});

describe('the workflow', () => {
  it('runs scripts and files of this repository', () => {
    const steps: Yaml[] = Object.values<Yaml>(WORKFLOW.jobs).flatMap(({ steps: each }) => each);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const lines = steps.flatMap(({ run = '' }) => run.split('\n'));
    for (const [, script = ''] of lines.flatMap((line) => [...line.matchAll(/npm run (\S+)/gu)]))
      expect(scripts).toHaveProperty(script);
    expect(lines.join('\n')).toContain('--kustomize deploy/kubernetes');
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/u);
    expect(WORKFLOW.permissions).toEqual({ contents: 'read' });
  });

  it('names the commands that there are', () => {
    const commands = createProgram().commands.map((command) => command.name());
    const text = textOf('.github/workflows/deploy.yml');
    const typed = [...text.matchAll(/(?:sudo|-- |exec -T gateway) ?faxdesk ([a-z]+)/gu)].map(
      ([, name]) => name,
    );
    expect(typed.length).toBeGreaterThan(3);
    expect(commands).toEqual(expect.arrayContaining(typed));
  });
});
