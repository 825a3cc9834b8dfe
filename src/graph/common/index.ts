export { CommonModule } from './common.module.js';
export { nodeNotFound, relationshipNotFound, schemaAbsent, tagNotFound } from './domain/not-found.errors.js';
export {
  DATA_TYPES,
  type DataType,
  type FileFacts,
  type FileKind,
  keepFacts,
  STRUCTURE_TYPES,
  type StructureType,
  withFacts,
} from './domain/file-facts.js';
export { type FileRecord, fileRecordOf, shownFact } from './domain/file-view.js';
export {
  type AskedThing,
  endOf,
  type LoggedStep,
  type LoggedThing,
  type Standing,
} from './domain/logged-thing.js';
export { mergePatch } from './domain/json-values.js';
export {
  askableTags,
  discovers,
  isLivingTag,
  isLastKnown,
  lookAlikesIn,
  mayNameOnNode,
  resolveTag,
  withDeletedTags,
} from './domain/known-tags.js';
export {
  GRAPH_VIEWS,
  type GraphView,
  IDENTITY_TYPES,
  type IdentityType,
  isNodeField,
  type JsonObject,
  MEANING_LEVELS,
  type MeaningLevel,
  NODE_FIELD_NAMES,
  NODE_FIELDS,
  type NodeFields,
  type NodeFieldTerms,
  type NodeRecord,
  type NodeSnapshot,
  type TagLink,
  termsOf,
  type WrittenField,
  writtenFields,
} from './domain/node-record.js';
export {
  factsOf,
  isStamped,
  type NodeSource,
  prepareShown,
  SHOWN_FIELDS,
  shownOf,
  shownValue,
  slicesOfShowing,
  slicesWithoutEnd,
  stamp,
  stampOf,
  tagNames,
  type WireNode,
  wireOf,
} from './domain/node-view.js';
export {
  fieldOfProperty,
  PROPERTY_LIMITS,
  PROPERTY_OPERATORS,
  type PropertyComparison,
  type PropertyFilter,
  type PropertyOperator,
  propertyFiltersIn,
  propertyFiltersOf,
} from './domain/property-filter.js';
export { refuse } from './domain/refuse.js';
export {
  between,
  BOOLEAN,
  DATE,
  INTEGER,
  like,
  violations,
  NUMBER,
  object,
  oneOf,
  orNull,
  type Shape,
  STRING,
  STRINGS,
  text,
  UUID,
} from './domain/shape.js';
export { type HiddenVersions, StepCounts } from './domain/step-counts.js';
export { grants, mayDiscover, maySeeWhole, wholeTagGrants } from './domain/tag-rights.js';
export { type UnmaskedFields, unmaskFields } from './domain/unmask-fields.js';
export { markErrors } from './domain/written-marks.js';
export { EntityTags } from './http/entity-tags.js';
