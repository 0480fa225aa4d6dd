import { settingsRoutes } from '../../../shared/api/settings.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { actorOf } from '../access/service.ts';
import { answerMeta, answerProvider, answerRevision, answerSetting, withFields } from './routes-answers.ts';
import type { SettingsService } from './service.ts';

/** The routes of the settings. Each looks first whether another process saved something newer. */
export function settingsServedRoutes({ settings }: { settings: SettingsService }): ServedRoute[] {
  return [
    serve(settingsRoutes.read, async () => {
      await settings.refresh();
      return {
        settings: settings.list().map(answerSetting),
        providers: settings.providers().map(answerProvider),
        _meta: answerMeta(settings.applyState()),
      };
    }),
    serve(settingsRoutes.write, async ({ body, caller }) => {
      const { changes, expected_revision_id: expectedRevisionId, ...flat } = body;
      const actor = actorOf(caller);
      const { changed } = await withFields(() =>
        settings.change({ named: changes ?? {}, namedKey: 'changes', flat, expectedRevisionId, actor }),
      );
      await settings.refresh();
      return { ok: true as const, changed, _meta: answerMeta(settings.applyState()) };
    }),
    serve(settingsRoutes.validate, async ({ body, caller }) => {
      await settings.refresh();
      return await withFields(() =>
        settings.tryProvider({
          provider: body.provider,
          settings: body.settings ?? {},
          opener: actorOf(caller),
        }),
      );
    }),
    serve(settingsRoutes.revisions, async ({ query }) => {
      const page = await settings.revisions(query);
      return { items: page.items.map(answerRevision), next_cursor: page.next_cursor };
    }),
    serve(settingsRoutes.persist, async () => {
      await settings.refresh();
      return { ok: true as const, file: await settings.writeRecoveryCopy() };
    }),
  ];
}
