import { Module } from '@nestjs/common';
import { SearchModule } from './search/index.js';
import { NodesModule } from './nodes/index.js';
import { FilesModule } from './files/index.js';
import { RelationshipsModule } from './relationships/index.js';
import { TagsModule } from './tags/index.js';
import { SchemasModule } from './schemas/index.js';
import { EditsModule } from './edits/index.js';
import { ListsModule } from './lists/index.js';

const ROOMS = [
  SearchModule,
  NodesModule,
  FilesModule,
  RelationshipsModule,
  TagsModule,
  SchemasModule,
  EditsModule,
  ListsModule,
];

/** The graph: nodes, relationships, tags (rules 4), schemas (rules 5), files (rules 6). Each room has a module. */
@Module({ imports: ROOMS, exports: ROOMS })
export class GraphModule {}
