import { type ActionType, type Step } from './proposal-content.js';
import { stepsTogether } from './steps-together.js';

const [ONE, TWO, THREE] = [
  '00000000-0000-7000-8000-000000000001',
  '00000000-0000-7000-8000-000000000002',
  '00000000-0000-7000-8000-000000000003',
];

const step = (id: string, type: ActionType, payload: Step['payload']): Step => ({
  id,
  ref: null,
  type,
  payload,
  path: id,
});
const partsOf = (steps: Step[], endsOf: (step: Step) => string[] = () => []): string[] =>
  stepsTogether(steps, endsOf).map((part) => part.map(({ id }) => id).join(' '));

describe('steps that are applied together', () => {
  it('a retagged node binds all steps about it, in their order', () => {
    const steps = [
      step('delete', 'DELETE_NODE', { node_id: ONE }),
      step('other', 'UPDATE_NODE', { node_id: TWO, changes: { title: 'x' } }),
      step('untag', 'REMOVE_TAGS', { node_id: ONE?.toUpperCase(), tags: ['a'] }),
    ];
    expect(partsOf(steps)).toEqual(['delete untag', 'other']);
  });

  it('steps that move no node stay apart, also about the same one', () => {
    const steps = [
      step('update', 'UPDATE_NODE', { node_id: ONE, changes: { title: 'x' } }),
      step('delete', 'DELETE_NODE', { node_id: ONE }),
    ];
    expect(partsOf(steps)).toEqual(['update', 'delete']);
  });

  it('merges bind steps through a third node, and a change of type or schema binds like a tag', () => {
    const steps = [
      step('type', 'UPDATE_NODE', { node_id: ONE, changes: { node_type: 'x' } }),
      step('delete', 'DELETE_NODE', { node_id: THREE }),
      step('merge', 'MERGE_NODES', { target_node_id: TWO, source_node_ids: [ONE] }),
      step('edge', 'CREATE_RELATIONSHIP', { from_node_id: TWO, to_node_id: THREE }),
    ];
    expect(partsOf(steps)).toEqual(['type delete merge edge']);
  });

  it('made nodes and existing relationships bind through their names and ends', () => {
    const steps = [
      step('made', 'CREATE_NODE', {}),
      step('edge', 'CREATE_RELATIONSHIP', { from_ref: 'made', to_node_id: ONE }),
      step('gone', 'DELETE_RELATIONSHIP', { relationship_id: THREE }),
      step('tag', 'ADD_TAGS', { node_id: ONE, tags: ['a'] }),
    ];
    const ends = ({ id }: Step) => (id === 'gone' ? [ONE] : []);
    expect(partsOf(steps, ends)).toEqual(['made edge gone tag']);
  });
});
