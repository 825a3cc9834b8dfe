/**
 * Words for months in all languages of Node's ICU, in lower case, without accents. scripts/write-month-names.mjs
 * wrote them.
 */
export const MONTH_NAMES: ReadonlySet<string> = new Set(
  `
aasadi abe abendua abenduaren abich abiriyo abofʊmka aboro abr abrell abriil abril abrile abrille abu abubi
aburil abuztua abuztuaren abɛibe acafʊnɖuka acapomka achiel adar adara adare ade adek adeɛmekpɔxe ado
adoolessa adr adumbəŋ aeng afi afirilu afuabe afɔ afɔfie aga agasti agbiɛnaa agemo aggusti aggustip ago
agosetose agost agosti agosto agostu ags agt agu agusito agust agusta agusti agustos agustu agustus aharabata
ahinime aib aibrean aku akuhata akǝ alalaka alemle ama amajjii ang antɔŋ any anyɔnyɔ anɔɔbʊnka anɔɔɖuka aog
aogositra aout aoǁkhuumuǁkhab apar ape apereira aperira api apirila apirilaren apiriri apl aplili apo aporele
apr aprel aprell apriili apriilip april aprila aprile aprili aprilie aprilis aprill aprilo aprily aprilyi
apryl apryla apu apuli ara aralık arat ariyo arree arvi arɛcika atyaato auchiel aug auguscht august augusta
augusti augusto augusts augustus augusztus aus austu averil avg avgust avi avientu avo avost avq avqust avr
avrigl avril avrril avust awg awgust awgusta awi awiril awirili awom awr awril awst aww awwissu ayɛwohomumu
aza azaroa azaroaren bado balandis balandzio beal bealtaine bel belawu belu berfanbar berfanbara berfanbare
bese bio bioom birzelio birzelis bitootessa boaldyn borg borgemannu bow bowte bra bracet brayr bre brezen
brezna brf bur bureet bɔk bɔr bɛɛ bʊn caamsaa cab cabudanni cakc cakcamannu cam can ceit ceitean cerven
cervence cervenec cervna chanuari chaŋphasapa chaŋwape chaŋwapegi chaŋwapetho che cheitean chg chikumi
chikunguru chivabvu chk chr christmanet chulai chv chw chwef chwefror cim cio ciongo cis ciswa cki cla cohca
cohcamaanu cokcwaklaŋne cokcwaklii col colte cot cotmeh cotmeha cotmehe cte ctember cuaŋui cuaŋuimaanu cul
cuo cuoŋomannu cut cutanbir cvc cvn cyo cze czerwca czerwiec czyrwca cʼhwe cʼhwevrer dab dac dad dag daggis
dah dal dam dame damh damhair dan dao dap dar dasara dat dau dea deasiamime dec decembar decembari decembarip
december decembra decembre decembrie decembris decembro dee deesanbur deireadh dek dekabr des desam desambar
desambra desanburu desemba desember desembre desimber dets detsember dexembre dez dezamber dezember dezembr
dezembro dezembru dezenbre dfomh dgi dhen dhj dhjetor dic dicemba dicembar dicember dicembre dicembru
dicemmiru diciembre diit dimɔdi dip diphalane dipɔs dis disamba disambar diseembar disemba disember disemere
disyembre dit divi diz dizenbru diŋ diŋgindi diɓ diɓaɓa doc doy dsb dua duat dub duben dubh dubhlachd dubna
dug dugember duj dujanbir dum dun duu duujal duɔɔ duɔɔŋ dwe dzd dzember dzia dzm dzodze dzome dzove dzu dzv
dǝɓlii ean eanair ebibi ebr ebrel ebrill ebulu eebila efute eiyeet eka ekaina ekainaren eki ekim ela elaŋgɛ
elb elo elokuu elokuuta emi emiasele ene enero ensil eost epe epeeso eph ephreli epr epreel eprel epreli
epreo erele erena est esɔ esɔpɛsɔpɛ eyl eylul fab fabrowa faburairu fan fanadur faoi faoilleach favr favrer
fbl fde feabh feabhra feb febbraio febereware febirie febluali febr febraayo febraro febreiro febrer febrero
febreru febrewaris febrier febroary februaar februaari februaarip februar februara februari februarie
februario februaris februaro february februwari febuari feburari feburuari feburuye febwaliyo fee feewiriye
fep fepueli fer ferikgong ferve fev fevereiro fevereiru fevr fevral fevrar fevreiro fevrer fevrier fevriye
few fewral fewriyee fgw fhaoilleach fii flo fmf fmu fog fomhair fon fondo fouyir fra frar fre freargiu freva
fri frivaru ful fulbaana fulundigi fungatɨ fur furar fwo fyu fɔe fʊm gamaǀaeb gan gas gashyantare gat
gatandatu gatano gatantatu gatatu gbo gearr gearran geas geassemannu geguze geguzes gen gene gener genier
gennaio genver geuree ghe ghearran ghennargiu ghiblean ghwa gibl giblean gic gicurasi gis gitugutu giu giugn
giugnettu giugno giugnu gln gnt golg golggotmannu gor gorff gorffennaf gortheren goue gouere gru grudnia
grudzien gruodis gruodzio guak guer gulan gulana gulane gum gumiguru gun gunju gunyana guov guovvamannu gur
guraandhala gush gusht gwa gwahlle gwen gwengolo gwn gwynngala hag hagayya han hanuere haz haziran hed hedra
hei heina heinakuu heinakuuta heiwet helmi helmikuu helmikuuta hep hepetema her herbstmanet here heziran
hezirana hezirane hik hikaŋ hil hilondɛ hire hlakola hlakubele hlb hoasoreǁkhab hor hornig houney huhti
huhtikuu huhtikuuta hul hulyo hun hune hunyo hur hurae hut hutala hwe hwevrer hyd hydref hzr hɛmbuɛri ian
ianuali ianuarie ibiri ibr ibrir ichiibɔd ichika idwaata igbe igi ike ikenda ikl ikm iku ikumi ile ili iln
ilon ilona ilone imb imbiri ime imeg imet imw imwe imweri iməg imɛŋ inkokua inn innayr inyambala inyi ion
ionawr ipu ipuru ira iraila irailaren irudi isi isiet istawichayazaŋ iuch iuchar iuil iul iulai iulie iun
iune iunie iwi iwo iwootkuut iyl iyn iyul iyun jaan jaanuar jan janaayo janairu janar janeiro janeiru janer
janeru janeware jannaayo jannar janner jannewa jannewaris janoary januaar januaari januaarip januali januar
januara januari januarie januario januaro january januwari janv janvaris janvier janwaliyo janyuwari jatta
jen jenaro jenner jenuari jenuwari jerrey jin jinnaru jol jolal jolay jon jona joulu joulukuu joulukuuta jug
jugn jugno juil juill juillet juin juk juko jul jula julaayi julae julai julayi julhet julho julhu juli julie
julij julija julijs julio juliol julius july julyai julyu jun juna june junh junho junhu juni junie junij
junija junijs junio junius juny junyi junyu juov juovla juovlamaanu juovlamannu juu juuli juulip juun juuni
juunip kaa kaana kab kabalashipu kad kadadu kag kai kaili kairi kak kakauka kam kamena kan kana kanama kanana
kandiɛ kar karandadu kas kasanu kasna kaswekese kasım kat katano katanuɛ katatu katatuɛ kathatu katiɛ kaw
kawi kaŋɔrɔ kbr kbz keenda kek kekemapa kel kele keli ken kenda kenie kep kepakemapa keri kerzu kesa kesakuu
kesakuuta kesi kesimaanu kev kevardhu kigarama king kipsuunde kiptaamo kkm kkn kmb kmj kmk kmn kms kmw knb
knd knk knn kol kolovoz kolovoza kor kornyoot korr korrik korse kovas kovo kpa kpt kris krisimin krizmed kst
ktn ktu ktuber ktubr kub kubvumbi kud kujuɔrɔk kuk kukadzi kukuru kum kumi kumwe kuova kuovamaanu kur kurume
kus kushin kutawonsa kutuan kuŋgwɛ kve kveten kvetna kwa kwanza kwi kwiecien kwietnia kwiidwaata kwiikumi
kwiinyambala kwiinyi kysa kzu kǝu kɔn kɔndɔŋ kɔtɔnimma kɨz kʉfungatɨ kʉkeenda kʉmʉʉnchɨ kʉnaanɨ kʉsaano
kʉsaatʉ kʉsasatʉ kʉvɨɨrɨ laa laath lab lala lam lampadas lapa lapkricio lapkritis lapkrutis led leden ledna
len lengua lenju leo lep lepye libuy libwa liepa liepos lip lipa lipanj lipca lipiec lipnja lis listopad
listopada listopadu liɓ loka lokakuu lokakuuta loo luanistyn luf lufuimi lug luggio luglio lugn lui luishi
luj lujo lul lulju lum lumungulu lun luna lunasa lunastal lungudi lus lush lushika lusolo lut lutego
lutongolo luty luulyo lwe lwetse lwezi lɔm lɔmbi maa maachi maaie maaji maajip maalis maaliskuu maaliskuuta
maarso maart maawɛ maayi maayo maaz mab mabasa mac mach machi macɛl mad madiɓɛdiɓɛ madǝmbii madǝǝuutǝbijaŋ
mae maehe maerz mag magali magg maggio maha mai maiatza maiatzaren maig maijs maio maiu maj maja majo maju
majus makandikɛ mal malaki mam mamuut mamǝŋgwaafahbii mamǝŋgwaalii manyawale mar marc marca march marcius
marco marec maret marfoo maris marisi marras marraskuu marraskuuta mars marsi marsip marso marsu mart marta
marte martie martio marto marts martsa martxoa martxoaren martzu marz marze marzec marzo marzu mas masa masg
mashi mat mata matahra matg matop matshe matshi matumb maw mawrth may mayesɛ mayo mayrnt mayu mayyu mayıs
mayɛsep maz mazzo maʻa maʻasi mba mbangu mbe mbee mbegtug mbere mbi mbili mbimbitho mbiyɔ mbo mbooy mbu
mbudzi mbyɛ mbəŋchubi mbʉŋ mean medi mee meh mehefin mei meije meith meitheamh mej meja meje mejju mejwoŋo
mer merc merca mesiŋ met metheven meu meur meurth meurzh mey meyi mezh mezheven meɣ meɣres mfomh mfu mfumfu
mfungade mhart mibale mies miessemannu mii mijdar mijdara mijdare minei mis misato mitano mitatu mivili mjd
mli mme mmesa moc mocha mod moj moja mok mokhu moo mop mopitlo mor moranang mori morso morusasin mot motoba
motsheanong motsheganang mpal mpalakazi mpan mpandula mpg mph mphalane mpu mpuyɛ mrt msh msi msp mto mud
mudde mug mugwanja muh muhaano muj mujimbi muk mukakaro mukui mul mulgul mun mundaŋ munyense munyi munyonyo
muonza mup mupalangulwa mupuguto mus musapiri mushende mushipepo musongandembwe mut mutarama muu muuya mvu
mvuka mwai mwambe mwedi mwedzi mwere mweri mwi mwitope mwom mye mɔkɔ mɔnɔ mɛndoŋgɔ mʉʉnchɨ naanɨ nab
nabanduru nad nadale nan nane navur nchechi ncw ncwabakazi ndamukiza ndi ndira ndithemba nduŋmbi ndwenbet
ndwencaet ndwencib ndwencibngeih ndwengouj ndwenit ndwenloeg ndwenngeih ndwenngux ndwensam ndwenseiq
ndzɔŋefwoo ndzɔŋesee ndzɔŋɔchwaʔakaa ndzɔŋɔdumlo ndzɔŋɔghuuwelɔm ndzɔŋɔkwifɔe ndzɔŋɔkɨzuʔ ndzɔŋɔnum
ndzɔŋɔnzugho ndzɔŋɔtaafʉgha ndzɔŋɔtɨdʉgha ndzɔŋɔtɨfʉghadzughu nebo nen nentor nga ngab ngad ngat ngb ngberere
nge ngl ngm ngn ngo ngs ngt ngu ngubue ngw ngwanatsele ngwoŋ ngwɔʼ ngwət ngwɛn ngz ngɔn nhla nhlangula nhlo
nhlolanja nin nis nisan nisana nisane njapi nje njeba njenuari njr nju njuhca njuhcamaanu njuk njukcamannu
njuni njurai njyolaʼ njɩbɔ nkw nkwenkwezi nlal nmba nna nnyano nob nobemba nobyembre noe noema nof nofemere
noiembrie noll nollaig nollick noo noofeembar noowanbur nop nopember nov novam novamber novambra novema
novemba novembar novembari novembarip november novembr novembra novembre novembris novembro novembru novenbre
noviembre novimber now nowambar nowanburu nowemapa nowember nowembra noy noyabr nsambo nsn ntan ntandi
ntsɔpmɔ ntsɔppa ntu ntulikazi ntuo ntwarante ntɔntɔ ntɛk ntʉ ntʉŋʉs num nun nunember nuv nuvemmiru nuvenbru
nuw nuwamba nuwanbir nvb nwa nwanbir nya nyaanya nyakanga nyamavhuvhu nyandagaro nyaŋgwɛ nye nyee nyenye
nyina nyukul nyɔlɔmbɔŋgɔ nyɛt nyɛtɛki nze nzeri nzero nzu nɖʊka nɛgɛm obo obubuo oca ocak och ochiko ochobre
oct october octobre octombrie octubre odung oflɔ oforisuo oga ogasti ogmh ogmhios ogo ogoost ogos ogost
ogosto ogs ogun oig oigste ojola oke oketopa oki okitoba okitobba okt oktabr okthoba okthobha oktob oktoba
oktobar oktobari oktobarip oktober oktobore oktobra oktobris oktobro oktohber oktoobar oktoober oktoobur
oktover oktuba oktubre oktyabr oku okudu okuni okwaikumi okwakabiri okwakana okwakashatu okwakataana okwamg
okwamukaaga okwamunaana okwamushanju okwamwenda okwokubanza olabor oladalʉ olgisan olodoyiorie oloilepunyie
omaruk omodok omuk ong onk onkoloolessa ooli ope opedel opoo orara osokosokoma osu otibar oto otobre otover
ots otsaila otsailaren otsokrikri ott ottobre ottubru otu otubar otubr otubro otubru otukwajaŋ ouj oujoß out
outubro outubru owara owewe ozu ozujak ozujka ođđajagemannu ođđj paa paagi pagu pamba pande pataa pay payares
paz pazdziernik pazdziernika peb pebrero pebruari ped pep pepeluali pepuere pha phato phatwe phe pherekgong
phezitho phu phukwi phupjane phupu pikitikitie pili pilɔndɔ pisuyu pom poo porge porgemaanu pri prill pro
prosinac prosinca prosince prosinec pudungwana pulis pun pusu putimaa putuk puɔs pɛnɛfɔm pɛnɛkwa pɛnɛntuku
pɛnɛpfuꞌu pɛpa pɛsaŋ pɛt pɛtat pʉshʉka qer qershor raa rags rar rbn rebendan rebendana rebendane rhag rhagfyr
rij rijen rijna rok roo rooptui roovvad roovvadmaanu rugpjucio rugpjutis rugsejis rugsejo ruheshi ruhuhuma
ruj rujan rujna rusama rɛbvua saa saal saamba saano saatʉ sab saba sadaasa sakkis sallaws sam samh samhain
samwiyee saməna san santandria santugaine sanuali sanvie sanza sap sapa sas sasatʉ sat sattumbar satumba
sausio sausis saŋ sbt schan schaner seb sebteembar sebtembar sebuttemba sed sedimonthole see seetebosigo
seeɗto sek sektanbur sen sentabr sentyabr sep sepitema sept septam septamber septambra septemba septembar
septembari septembarip september septembra septembre septembrie septembris septembro septhemba septiembre
septimber septiyembre sere set setembar setember setembr setembre setembro setembru setemere setenbre
setenbru setiembre sett settembar settember settembre settembru setyembre sginer sgiugn shk shkurt sht
shtator shum shʉ sia siamlɔm sibat sibata sibate sie sierpien sierpnia sii siilo siilto sij sijecanj sijecnja
sillins simenis sit sita sittemmiru siu siulai siyrpnia siɛyɛ skab skabmamannu skamma skammamaanu slt sok
souree spalio spalis spallins spt srabi srp srpanj srpen srpna srpnja sta stb stember stg stu studeni
studenoga sty styczen stycznia sub subat sueŋ sul sulet sult sultain sun sune suoi suoidnemannu suuyee suw
suwe svi svibanj svibnja syeini syeinimaanu syys syyskuu syyskuuta szept szeptember sɔŋ sɔŋɛ sɛt sɛtanburu
taa taabɛɛ taafɔk taai taan taanin taaraa tach tachwedd tai tammi tammikuu tammikuuta tana tanu
taraǀkhuumuǁkhab tatu taŋa tbx tebax tebaxa tebaxe ted tedoxe tem temmuz tenpo tesiʼe tet tetor tha
thahekapsuŋ thang thanthatu thanu thar thg thiyoheyuŋka thoo thoor tib tid tih tihema tin tinini tiop tirmeh
tirmeha tirmehe tis tisa tisema tlh tlhakole tob tom tomon toshiaght touko toukokuu toukokuuta tow tra
travanj travnja tri triulas trm tsetsaʼ tsetsɛɛ tsh tshitwe tsɛɛ tub tuber tyɛb tɛɛ tɛɛr tɨd ugu ugushyingo
uku ukuboza ukw ukwakira umo umwe una unayeli unecheshe uneraru unethanu uno unor unora upu urr urria
urriaren urt urtarrila urtarrilaren uti utt uttuviru utuber uzt uztaila uztailaren uđiv uđđaivemaanu vasario
vasaris veebr veebruar velj veljaca veljace vil vyesi vyesimaanu vɨɨrɨ waa waare wan waniyetu wanja wassarins
waste wasuthuŋ wax waxabajjii wen wer werurwe wgt wik wim wimanet win wintermanet wiothehika wipazukha wkd
wkn wkr wmj wmw wnn wrz wrzesien wrzesnia wtd wtn wudatu wuhanu wum wun wunyanya wutai wuvili xan xaneiro xin
xineru xnt xul xullo xun xunetu xuno xunu yambo yan yanvar yanwar yar yarkomaa yeb yebrayer yebrir yel yen
yennayer yepe yietni yul yuli yulyu yulyuz yun yuni yunyu yuru zallaws zamgbala zan zanvie zanwiye zanwuye
zar zari zen zena zenar zercl zercladur zib zibandlela zil zilye zin zomi zugno zul zuluye zuw zuweŋ zuwɛn
zuy zuyye zvi zvita ŋgbanja ŋgɔn ŋgɔndɛ ŋwii ǀhooǂgaeb ǀkhuuǁkhab ǂkhoesaob ǂnuǁnaiseb ǃhoaǂkhaib ǃkhaitsab
ǃkhanni ǃkhanǀgoab ɓulɓusɛ ɔbɛnem ɔgyefoɔ ɔku ɔkutɔburu ɔlɔɨbɔrarɛ ɔnsumbɔl ɔpɛnimma ɔpɛpɔn ɔsanaa ɔsɔn ɔtb
ɔɛn ɔɛnɨɔɨŋɔk ɛbɔ ɣuc ɣuct ɩjicimka ɩjikawǝrka ɩjikpaka ɩjikǝuka ʻaok ʻaokosi ʻap ʻapelila ʻau ʻaukake ʻepe
ʻepeleli ʻok ʻoka ʻokakopa ʻokatopa απρ απριλιου αυγ αυγουστου δεκ δεκεμβριου ιαν ιανουαριου ιουλ ιουλιου
ιουν ιουνιου μαι μαιου μαρ μαρτιου νοε νοεμβριου οκτ οκτωβριου σεπ σεπτεμβριου φεβ φεβρουαριου аван авг
август августа августы ака алт алтынньы апр апрел апрелы апрель апреля април аравдугаар арбадугаар арбан
арван атр атырдьых ауг аугуст ахс ахсынньы ақп ақпан балаҕан бер березень березня блҕ бэс вер верасень
верасня вересень вересня груд грудень грудня гуравдугаар гурбадугаар гыин гыинвар дек декабр декабры декабрь
декабря декември дец децембар долодугаар долоодугаар дүрбэдүгээр дөрөвдүгээр есдүгээр жел желтоқсан жні
жнівень жніуня жовт жовтень жовтня зургаадугаар зургадугаар июл июлы июль июля июн июны июнь июня ијл ијн
ијул ијун кар карлач кас кастрычнік кастрычніка квіт квітень квітня клн кра красавік красавіка кулун лип
липень липня лист листопад листопада лют лютага лютии лютого люты ліп ліпень ліпеня ліс лістапад лістапада
маи маиы мам мамыр мар март марта мартъи мартъииы мау маусым мая мај мсу муус наимадугаар наимдугаар нар
нарас нау наурыз нов новембар ное ноември ноя нояб ноябр ноябры ноябрь ноября ној нојабр нэгдүгээр нэгэдүгээр
окт октобар октомври октябр октябры октябрь октября октјабр олун олунньу оти пуш раш раштав сак сакавік
сакавіка сар сарын сен сент сентябр сентябры сентябрь сентября сентјабр сеп септембар септември серп серпень
серпня сне снежань снежня сту студзень студзеня сэт сэтинньи січ січень січня сәу сәуір табадугаар тавдугаар
там тамыз тохс тохсунньу трав травень травня тутар устар ута феб фебруар фев февр феврал февралы февраль
февраля февруари хоердугаар черв червень червня чук чэр чэрвень чэрвеня шіл шілде ыам ыиа ыиын юли юни юпа
юһэдүгээр янв январ январы январь января януари јан јанвар јануар јануари јул јули јун јуни ғин ғинуар қаз
қазан қар қараша қаң қаңтар қыр қыркүиек ҫерт ҫертме ҫур ҫурла һара ապր ապրիլ ապրիլի դեկ դեկտեմբեր դեկտեմբերի
հլս հնս հնվ հոկ հոկտեմբեր հոկտեմբերի հուլիս հուլիսի հունիս հունիսի հունվար հունվարի մայիս մայիսի մարտ մարտի
մյս մրտ նոյ նոյեմբեր նոյեմբերի սեպ սեպտեմբեր սեպտեմբերի փետրվար փետրվարի փտվ օգոստոս օգոստոսի օգս אַפּר
אַפּריל אוג אוגוסט אויג אויגוסט אוק אוקטובר אפר אפריל אקט אקטאבער באוג באוגוסט באוק באוקטובר באפר באפריל בדצמ
בדצמבר ביולי ביוני בינו בינואר במאי במרץ בנוב בנובמבר בספט בספטמבר בפבר בפברואר דעצ דעצעמבער דצמ דצמבר יאַנ
יאַנואַר יולי יוני ינו ינואר מאי מיי מערץ מרץ נאוו נאוועמבער נוב נובמבר סעפּ סעפּטעמבער ספט ספטמבר פֿעב
פֿעברואַר פבר פברואר ءساۋىر آب آذار آوریل آڤریل آڪٽوبر آگسٽ آگوست أبريل أغسطس أغشت أفريل أكتوبر أوت أيار
أيلول إبريل ئاب ئابی ئازار ئازاری ئاپرېل ئاۋغۇست ئایار ئایاری ئوکتوڤر ئىيۇل ئىيۇن ئۆكتەبىر ئەیلوول ئەیلوولی
اقپان الأول الثاني اوت اپر اپريل اپریل اکت اکتبر اکتوبر اکتوٗبر اګست اگس اگست تامىز تشرين تشرینی تموز تەمووز
تەمووزی جانفي جانڤیە جنؤری جنو جنوري جنوری جوان جول جولاءِ جولائی جولای جون جويلية جوٗلایی جوٗن جوٙأن جوٙلا
جُلَے جەلتوقسان حزيران حوزەیران حوزەیرانی دئسامر دجمبر دجنبر دسامبر دسم دسمبر دووەم دووەمی ديسمبر دَسَمبَر
دېكابىر سئپتامر سبتمبر ستمبر سيپٽمبر سپت سپتامبر سپتمبر سېنتەبىر سېپتمبر شباط شتمبر شتنبر شوبات شوباتی شىلدە
غشت فئڤریە فبر فبراير فبروري فبروری فرؤری فروری فوریه فوریهٔ فيبروري فيفري فېبروري فېۋرال قاراشا قازان قاڭتار
قىركۇيەك كانون مئ مئي مئی مار مارت مارس مارٕچ مارچ مامىر ماي مايو ماۋسىم مه مهٔ می مۍ ناۋرىز نوامبر نوفمبر
نوم نومبر نونبر نويابىر نوڤامر نيسان نیسان نیسانی يانۋار يناير يوليو يوليوز يونيو ڊسمبر ژانویه ژانویهٔ ژوئن
ژوئیه ژوئیهٔ کانونی کانوونی یەکەم یەکەمی ܐ ܐܒ ܐܕܪ ܐܚܪܝܐ ܐܝܠܘܠ ܐܝܪ ܒ ܒܐܕܪ ܒܐܝܠܘܠ ܒܐܝܪ ܒܚܙܝܪܢ ܒܟܢܘܢ ܒܢܝܣܢ ܒܫܒܛ
ܒܬܡܘܙ ܒܬܫܪܝܢ ܚܙܝܪܢ ܟܢܘܢ ܢܝܣܢ ܩܕܡܝܐ ܫܒܛ ܬܡܘܙ ܬܫܪܝܢ ߓߌ߲ߠ ߓߌ߲ߠߊߥߎߟߋ߲ ߕߎߟߊߝߌ߲ ߕߙߊ ߕߙߊߓߊ ߘߓߊ߬ߓ ߘߓߊ߬ߓߌߟߊ ߘߓߊ߬ߕ
ߘߓߊ߬ߕߊ ߞߊ߬ߙ ߞߊ߬ߙߌߝߐ߭ ߞߏߟ ߞߏߟߌ߲ߞߏߟߌ߲ ߞߏ߲ߓ ߞߏ߲ߓߌߕߌ߮ ߞߏ߲ߘ ߞߏ߲ߞ ߞߏ߲ߞߏߘߌ߬ߓߌ ߞߏ߲ߞߏߜߍ ߣߍߣ ߣߍߣߍߓߊ ߥߊ߬ߛ ߥߊ߬ߛߌ߬ߥߙߊ
अकतुम्बर अक्ट अक्टू अक्टूबर अक्टोबर अक्तू अक्तूबर अक्तूबरमासः अग अगस्ट अगस्त अगस्तमासः अप्रिल अप्रेल अप्रै
अप्रैल अप्रैलमासः आक्टोबर आग आगष्ट आगस्ट एप्रि एप्रिल एप्री एप्रील ऑक्टो ऑक्टोबर ऑग ऑगस्ट जन जनवरी जनवरीमासः
जान जानुवारी जाने जानेवारी जु जुन जुल जुलय जुला जुलाई जुलाईमासः जुलै जून जूनमासः डिसं डिसंबर डिसे डिसें
डिसेंबर डिसेम्बर दसमबर दसूमबर दिस दिसंबर दिसंबरमासः नव नवं नवंबर नवंबरमासः नवमबर नवम्बर नवूमबर नवे नवेम्बर
नोभेम्बर नोव्हें नोव्हेंबर फर फरवरी फरवरीमासः फ़र फ़रवरी फेब फेबरवरी फेब्रु फेब्रुअरी फेब्रुवारी फेब्रूवारी
बर मई मईमासः मार्च मार्चमासः मार्चु मे मेई सतमबर सतुंबर सप्टे सप्टें सप्टेंबर सित सितंबर सितंबरमासः सितम्बर
सेप सेप्टेम्बर सेप्थेम्बर অক্টো অক্টোবর অক্টোবৰ আগ আগষ্ট আগস্ট এপ্রি এপ্রিল এপ্ৰিল ওক্টো ওক্টোবর ওগ ওগষ্ট
ছেপ্তে ছেপ্তেম্বৰ জন জনুৱারী জানু জানুয়ারি জানুৱারি জানুৱাৰী জুন জুল জুলা জুলাই ডিচে ডিচেম্বৰ ডিসে ডিসেম্বর
নবেম্বর নভে নভেম্বর নৱে নৱেম্বৰ ফেব ফেব্রু ফেব্রুয়ারি ফেব্রুৱারি ফেব্ৰু ফেব্ৰুৱাৰী মার মার্চ মাৰ্চ মে সেপ
সেপ্ট সেপ্টেম্বর ਅਕਤੂ ਅਕਤੂਬਰ ਅਗ ਅਗਸਤ ਅਪ੍ਰੈ ਅਪ੍ਰੈਲ ਜਨ ਜਨਵਰੀ ਜੁਲਾ ਜੁਲਾਈ ਜੂਨ ਦਸੰ ਦਸੰਬਰ ਨਵੰ ਨਵੰਬਰ ਫ਼ਰ ਫ਼ਰਵਰੀ ਮਈ
ਮਾਰਚ ਸਤੰ ਸਤੰਬਰ એપ્રિલ ઑક્ટો ઑક્ટોબર ઑગસ્ટ જાન્યુ જાન્યુઆરી જુલાઈ જૂન ડિસે ડિસેમ્બર નવે નવેમ્બર ફેબ્રુ
ફેબ્રુઆરી માર્ચ મે સપ્ટે સપ્ટેમ્બર ଅକ୍ଟୋବର ଅଗଷ୍ଟ ଅପ୍ରେଲ ଜାନୁଆରୀ ଜୁନ ଜୁଲାଇ ଡିସେମ୍ବର ନଭେମ୍ବର ଫେବୃଆରୀ ମଇ ମାର୍ଚ୍ଚ
ସେପ୍ଟେମ୍ବର அக் அக்டோபர் ஆக ஆகஸ்ட் ஏப் ஏப்ரல் செப் செப்டம்பர் ஜன ஜனவரி ஜூன் ஜூலை டிச டிசம்பர் நவ நவம்பர் பிப்
பிப்ரவரி மார் மார்ச் மே అక్టో అక్టోబర్ ఆగ ఆగస్టు ఏప్రి ఏప్రిల్ జన జనవరి జులై జూన్ డిసెం డిసెంబర్ నవం నవంబర్
ఫిబ్ర ఫిబ్రవరి మార్చి మే సెప్టెం సెప్టెంబర్ ಅಕ್ಟೋ ಅಕ್ಟೋಬರ್ ಆಗ ಆಗಸ್ಟ್ ಏಪ್ರಿ ಏಪ್ರಿಲ್ ಜನ ಜನವರಿ ಜುಲೈ ಜೂನ್ ಡಿಸೆಂ
ಡಿಸೆಂಬರ್ ನವೆಂ ನವೆಂಬರ್ ಫೆಬ್ರ ಫೆಬ್ರವರಿ ಮಾರ್ಚ್ ಮೇ ಸೆಪ್ಟೆಂ ಸೆಪ್ಟೆಂಬರ್ ഏപ്രി ഏപ്രിൽ ഒക്ടോ ഒക്ടോബർ ഓഗ ഓഗസ്റ്റ് ജനു
ജനുവരി ജൂലൈ ജൂൺ ഡിസം ഡിസംബർ നവം നവംബർ ഫെബ്രു ഫെബ്രുവരി മാർ മാർച്ച് മേയ് സെപ്റ്റം സെപ്റ്റംബർ ඇසළ ඉල් උඳුවප්
දුරුතු නවම් නිකිණි පොසොන් බක් බිනර මැදින් වප් වෙසක් ก กรกฎาคม กันยายน กุมภาพันธ์ ค ต ตุลาคม ธ ธันวาคม พ
พฤศจิกายน พฤษภาคม ม มกราคม มิ มิถุนายน มี มีนาคม ย ส สิงหาคม เม เมษายน ກ ກັນຍາ ກຸມພາ ກໍລະກົດ ຈ ຍ ຕ ຕຸລາ ຖ ທ
ທັນວາ ນ ພ ພະຈິກ ພຶດສະພາ ມ ມັງກອນ ມິ ມິຖຸນາ ມີນາ ລ ວ ສ ສິງຫາ ຫ ເມສາ གཅིག གཉིས གསུམ དགུ དང དངཔ དྲུག པ པོ བ བཅུ
བདུན བཞི བརྒྱད ཟླ ལྔ སྤྱི စက် စက်တင်ဘာ ဇန် ဇန်နဝါရီ ဇူ ဇူလိုင် ဇွန် တီႇ တီႇသႅမ်ႇပႃႇ ဒီ ဒီဇင်ဘာ နို နိုဝင်ဘာ
ဖေ ဖေဖော်ဝါရီ မတ် မေ မေႇ မၢတ်ႉၶ်ျ သႅပ်ႇ သႅပ်ႇထႅမ်ႇပႃႇ အောက် အောက်တိုဘာ ဢေႃး ဢေႃးၵၢတ်ႉ ဢေႇ ဢေႇပရႄႇ ဢွၵ်ႇ
ဢွၵ်ႇထူဝ်ႇပႃႇ ဧ ဧပြီ ဩ ဩဂုတ် ၸုၼ်ႇ ၸူႇ ၸူႇလၢႆႇ ၸၼ်ႇ ၸၼ်ႇဝႃႇရီႇ ၼူဝ်ႇ ၼူဝ်ႇဝႅမ်ႇပႃႇ ၾႅပ်ႇ ၾႅပ်ႇဝႃႇရီႇ აგვ
აგვისტო აპრ აპრილი დეკ დეკემბერი თებ თებერვალი იან იანვარი ივლ ივლისი ივნ ივნისი მაი მაისი მარ მარტი ნოე
ნოემბერი ოქტ ოქტომბერი სექ სექტემბერი ለካ ለካቲት ሓም ሓምለ ሕዳ ሕዳር መስ መስከረም መጋ መጋቢት ሚያ ሚያዝያ ማርች ሜይ ሰነ ሴፕቴ ሴፕቴምበር ታሕ
ታሕሳስ ነሓ ነሓሰ ኖቬም ኖቬምበር ኤፕሪ ኤፕሪል ኦክቶ ኦክቶበር ኦገስ ኦገስት ዲሴም ዲሴምበር ጁላይ ጁን ጃን ጃንዋሪ ጉንበት ግን ጥሪ ጥቅ ጥቅምቲ ፌብ ፌብሩዋሪ
ᐅᐸᐦᐅᐏᐲᓯᒼ ᐅᒉᒥᑮᓯᑳᐏᐲᓯᒼ ᐊᓃᑭᐲᓯᒼ ᐋᕽᐘᑎᓄᐏᐲᓯᒼ ᐚᐏᐲᓯᒼ ᐱᓈᐢᑯᐏᐲᓯᒼ ᐸᐚᐦᒐᑭᓇᓰᐢ ᐹᐢᑲᐦᐋᐏᐲᓯᒼ ᒥᑭᓯᐏᐲᓯᒼ ᒪᑯᓭᑮᓭᑳᐏᐲᓯᒼ ᓂᐢᑭᐲᓯᒼ ᓄᒌᑐᐏᐲᓯᒼ
កក្កដា កញ្ញា កុម្ភៈ តុលា ធ្នូ មករា មិថុនា មីនា មេសា វិច្ឆិកា សីហា ឧសភា ᱚᱠᱴ ᱚᱠᱴᱚᱵᱟᱨ ᱟᱜᱟ ᱟᱜᱟᱥᱛ ᱟᱯᱨ ᱟᱯᱨᱮᱞ ᱡᱟᱱ
ᱡᱟᱱᱣᱟᱨᱤ ᱡᱩᱞ ᱡᱩᱞᱟᱭ ᱡᱩᱱ ᱢᱟᱨ ᱢᱟᱨᱪ ᱢᱮ ᱥᱮᱯ ᱥᱮᱯᱴᱮᱢᱵᱟᱨ ᱫᱤᱥ ᱫᱤᱥᱟᱢᱵᱟᱨ ᱯᱷᱟ ᱯᱷᱟᱨᱣᱟᱨᱤ ᱱᱟᱣ ᱱᱟᱣᱟᱢᱵᱟᱨ ⴱⵕⴰ ⴱⵕⴰⵢⵕ ⴷⵓⵊ ⴷⵓⵊⴰⵏⴱⵉⵔ
ⴽⵜⵓ ⴽⵜⵓⴱⵔ ⵉⴱⵔ ⵉⴱⵔⵉⵔ ⵉⵏⵏ ⵉⵏⵏⴰⵢⵔ ⵎⴰⵕ ⵎⴰⵕⵚ ⵎⴰⵢ ⵎⴰⵢⵢⵓ ⵏⵓⵡ ⵏⵓⵡⴰⵏⴱⵉⵔ ⵖⵓⵛ ⵖⵓⵛⵜ ⵛⵓⵜ ⵛⵓⵜⴰⵏⴱⵉⵔ ⵢⵓⵍ ⵢⵓⵍⵢⵓⵣ ⵢⵓⵏ ⵢⵓⵏⵢⵓ 一月
七月 三月 九月 二月 五月 八月 六月 十一月 十二月 十月 四月 月 ꃘꆪ ꇖꆪ ꈬꆪ ꉆꆪ ꉬꆪ ꊯꊪꆪ ꊰꆪ ꊰꑋꆪ ꋍꆪ ꌕꆪ ꏃꆪ ꑍꆪ ꔞꔀꕮꕊ ꔞꘋ ꔞꘋꕔꕿ ꕒꕡ ꕒꕡꖝꖕ ꕢꕌ ꕪꕴ ꕭꖃ ꕸꖃꗏ
ꕾꖺ ꖑꕱ ꖢꖕ ꖨꖕ ꖨꖕꔞ ꖨꖕꗏ ꖱꕞ ꖱꕞꔤ ꖱꘋ ꗏꖺꕮꕊ ꗛꔕ ꭰꮒ ꭰꮒꮝꭼꮨ ꭰꮕ ꭰꮕᏹ ꭴꮓ ꭴꮓꮈꮤꮕ ꭵꮝ ꭵꮝꭹᏹ ꭶꮆ ꭶꮆꮒ ꭷꭶ ꭷꭶꮅ ꭷꮼ ꭷꮼꮒ ꭻᏸ ꭻᏸꮙꮒ ꮕꮣ ꮕꮣꮥꮖ
ꮥꭽ ꮥꭽꮇᏹ ꮪꮅ ꮪꮅꮝꮧ ꮪꮒ ꮪꮒꮕꮧ 월 𑄃𑄉𑄧𑄌𑄴𑄑𑄴 𑄃𑄧𑄇𑄴𑄑𑄬𑄝𑄧𑄢𑄴 𑄃𑄧𑄇𑄴𑄑𑄮𑄝𑄧𑄢𑄴 𑄃𑄬𑄛𑄳𑄢𑄨𑄣𑄴 𑄎𑄚𑄪
𑄎𑄚𑄪𑄠𑄢𑄨 𑄎𑄪𑄚𑄴 𑄎𑄪𑄣𑄭 𑄓𑄨𑄥𑄬𑄟𑄴𑄝𑄢𑄴 𑄓𑄨𑄥𑄬𑄟𑄴𑄝𑄧𑄢𑄴 𑄚𑄧𑄞𑄬𑄟𑄴𑄝𑄧𑄢𑄴 𑄜𑄬𑄛𑄴
𑄜𑄬𑄛𑄴𑄝𑄳𑄢𑄪𑄠𑄢𑄨 𑄟𑄢𑄴𑄌𑄧 𑄟𑄬 𑄥𑄬𑄛𑄴𑄑𑄬𑄟𑄴𑄝𑄧𑄢𑄴 𞤣𞤵𞥅𞤶 𞤣𞤵𞥅𞤶𞤮 𞤥𞤮𞤪 𞤥𞤮𞤪𞤧𞤮 𞤦𞤮𞤱
𞤦𞤮𞤱𞤼𞤮 𞤧𞤫𞥅𞤼 𞤧𞤫𞥅𞤼𞤮 𞤧𞤭𞤤 𞤧𞤭𞤤𞤼𞤮 𞤧𞤭𞥅𞤤 𞤧𞤭𞥅𞤤𞤮 𞤲𞤦𞤮𞥅𞤴 𞤲𞤦𞤮𞥅𞤴𞤮 𞤳𞤮𞤪
𞤳𞤮𞤪𞤧𞤮 𞤴𞤢𞤪 𞤴𞤢𞤪𞤳𞤮 𞤶𞤮𞤤 𞤶𞤮𞤤𞤮 𞤶𞤵𞤳 𞤶𞤵𞤳𞤮 𞤷𞤮𞤤 𞤷𞤮𞤤𞤼𞤮
`
    .trim()
    .split(/\s/),
);
