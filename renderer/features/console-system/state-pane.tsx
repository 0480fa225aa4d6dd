import type { ReactNode } from 'react';
import type { List, Listed } from '../../api/lists/list.ts';
import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import type { Column } from '../../parts/lists/list-table.tsx';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { OpenableList } from './openable-list.tsx';
import { StateTabs } from './state-tabs.tsx';
import styles from './system.module.css';

/** Returns the filter of a list by state; null for all of it. */
export const stateFilter = <State extends string>(states: readonly State[]): FilterCodec<State | null> => ({
  fromAddress: ({ state }) => states.find((it) => it === state) ?? null,
  toAddress: (state) => onlySet({ state }),
});

interface StatePaneProps<State extends string, Row extends Listed> {
  readonly title: string;
  readonly words: {
    readonly filter: string;
    readonly all: string;
    readonly states: Readonly<Record<State, string>>;
    readonly list: string;
    readonly more: string;
  };
  readonly states: readonly State[];
  /** Undefined while they load. */
  readonly counts: Readonly<Record<State, number>> | undefined;
  /** States that need a person's attention when their count is not 0. */
  readonly warning: readonly State[];
  readonly state: State | null;
  readonly onState: (state: State | null) => void;
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  /** In place of the rows where there are none. */
  readonly nothing: ReactNode;
  readonly details: (id: string, close: () => void) => ReactNode;
}

/** Pane with a list by state, and the one that is open below its rows. */
export function StatePane<State extends string, Row extends Listed>(props: StatePaneProps<State, Row>) {
  const { title, words, states, counts, warning, state, onState, list, columns, nothing, details } = props;
  return (
    <Pane label={title}>
      <PaneHead title={title} />
      <div className={styles['filters']}>
        <StateTabs
          states={states}
          words={words}
          counts={counts}
          warning={warning}
          state={state}
          onState={onState}
        />
      </div>
      {list.isOpening ? (
        <ListOpening error={list.error} retry={list.retry} />
      ) : (
        <OpenableList
          key={list.name}
          list={list}
          words={words}
          columns={columns}
          nothing={nothing}
          details={details}
        />
      )}
    </Pane>
  );
}
