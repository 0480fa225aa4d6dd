import { z } from 'zod';
import { secretSetting, textSetting } from '../../../platform/setting-kinds.ts';
import { lineOf } from './line-schemas.ts';

const group = 'Audit and log';
/** Permission to read facts about faxes, which go to the collector. */
const opens = ['diagnostics:read'] as const;

const collector = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === '' && url.search === '';
}, 'must be a web address without a password and a query');

const ratio = z
  .string()
  .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/u, 'must be a number from 0 to 1, such as 0.1');

/** Settings of traces and metrics, by the names that OpenTelemetry gives them. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: textSetting({
    opens,
    group,
    label: 'Collector of OpenTelemetry',
    help: 'Web address that traces and metrics are sent to over HTTP, such as http://127.0.0.1:4318. Without one, nothing is sent.',
    schema: collector,
    format: 'line',
    most: 300,
    restart: true,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: secretSetting({
    opens,
    group,
    label: 'Headers for the collector',
    help: 'Headers with the access for the collector, as name=value; several separated by commas.',
    restart: true,
  }),
  OTEL_SERVICE_NAME: textSetting({
    group,
    label: 'Service name',
    help: 'Name of this installation in traces and metrics.',
    schema: lineOf(100),
    format: 'line',
    most: 100,
    default: 'faxdesk',
    restart: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: textSetting({
    group,
    label: 'Share of traces',
    help: 'Share of faxes and requests whose trace is sent, from 0 to 1. Metrics are always sent.',
    schema: ratio,
    format: 'line',
    most: 8,
    default: '1',
    restart: true,
  }),
};
