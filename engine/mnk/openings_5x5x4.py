"""The openings of 5x5x4, which `engine.mnk.openings` reads and `tools.openings` finds."""

WORDS = """
m am bm cm gm hr mi abm acr adq ael agl ahi aiq ajm ami anl aol asn atl aym bfd bgm bhd bim bjh blr bmd bnd bpi bqd
bri bsm btl caq cbm cfn cgm chb cln cmi cph cqd crh gmd hgn hmb hrn mgp abcm abdm abes abfg abjl abki abnl aboi
abpm abtm abum abwm abys acbi acdl acen acfn acjn ackh acon acph actn acuh acwn acym adcm ades adfn adjn adkm adoj
adpm adtn adum adwl adym aebi aeci aefr aekq aepm aeum aewg agbn agcq agdq ages aghq agjq agmp agot agtm agym ahbs
ahcm ahdm ahes ahfl ahgm ahjn ahkg ahnj ahot ahpm ahrn ahtj ahus ahvr ahwm ahxv ahym aibm aicm aidm aiem aifm aigr
aihq aijm aikm ails aimq aing aiot aipm aiqm airg aism aitm aius aivm aiwm aixv aiym ajbm ajcm ajdm ajem ajfm ajkm
ajom ajpm ajtm ajum ajvm ajwm ajxm ajym ambi amcq amdq ameg amgn amhq amil amjt amni amos amsv amtj amys anbi ancl
andg aneg anfq anjl ankg anli anoq anpm ansm antl anus anvl anws anxs anyl aobn aocm aodl aoeh aofl aojs aokm aoph
aotm aoup aovr aowm aoxr aoym asbm asci asdq aseg asjm asmj asnh asom asth asym atbm atcm atdm ateg atfm atjm atkm
atom atpm atum atvr atwm atxl atym aybm aycm aydl ayeh bcam bces bcfd bcgd bchd bcid bcjd bckd bcld bcnd bcod bcpd
bcqd bcrd bcsd bcte bcud bcxd bdaq bdcm bdfa bdgc bdha bdle bdmc bdpa bdqa bdra bfaq bfcq bfdm bfem bfhm bfjr bfng
bfog bfsq bftr bfyl bgam bgcm bgdm bges bgfp bghs bgjt bgkp bgli bgmi bgnq bgot bgpf bgsr bgtj bgum bgvm bgwm bgxm
bgym bhdm bhfn bhgn bhin bhjt bhln bhmd bhng bhpf bhrn bhtj bhvx bhxv biam bidm bifp bigq bihs bijm bilr bimj binq
bioj bipf biqg birq bisq bitm bivx bixv biym bjar bjcn bjdm bjer bjfl bjkh bjlf bjnm bjom bjpf bjri bjsl bjtm bjuh
bjvx bjwn bjxl bjym bkam bkcm bkdm bkes bkfm bkjr bklm bkon bkpm bktj bkum bkvs bkws bkxv bkym blai blcq bldq bleq
blfp bljt blng blpf blrm bltj bmfl bmgr bmhq bmin bmjt bmlf bmnq bmpf bmqh bmrl bmsl bmtj bmvx bmxv bndl bneg bnfp
bngl bnit bnjt bnlh bnpf bnrl bntm bnvx bnxv boam bocm bodm boem bofq bojs bokf bonl bopf botm boum bovl bows boxv
boyr bqam bqcm bqdm bqel bqfm bqih bqjm bqkf bqli bqms bqnm bqot bqpf bqrg bqtj bqul bqvx bqxv brdm breg brfm brhm
brjm brkh brlh brns broh brph brsh brtm brum brvx brwh brxv bryq bsam bscm bsdm bsem bsfp bsgm bshq bsig bsjm bskp
bslr bsmg bsnv bsom bspf bsqg bsrn bstm bsvx bsxv btah btcn btdm btem btfh btig btkh btlr btph btun bvam bvcm bvdm
bvem bvfm bvjt bvkp bvlh bvom bwah bwcm bwdm bwem bwfm bwjm bwkm bwlp bwom bwpl bwts bwum bwvs bwxm bwym bxam bxcm
bxdm bxem bxfm bxjm bxkm cgah cgbs cgdm cges cgfl cghm cgir cgjt cgkm cglf cgmh cgnr cgot cgpm cgqh cgrn cgsm cgtj
cgum cgvm cgwm cgxm cgyq chaq chbm chfp chkr chlr chpf chrl chum chvm ckar ckbh ckdh ckeh ckon cktj ckyh claq clbh
cldn cleq clfm cljt clkm clnr cloj clpm cltj clum clvx clxv clym cmaq cmbh cmfp cmgn cmhb cmlf cmpf cmqh cmrx cmvr
cqai cqbm cqdm cqer cqfm cqgr cqhn cqis cqjt cqkf cqlh cqmr cqnh cqom cqpm cqrn cqsi cqtj cqur cqvx cqwv cqxv cqym
crai crbm crfp crhl crkh crpf crug crvm crwh cwal cwbi cwfl cwkl ghfp ghir ghjt ghmi ghni ghpf ghri ghsi ghtj gifp
gihm gimf gipf gmis gmsi gnhl gnim gnjt gnlh gnms gnqs gnrm gnsm gntj gnvx gnxv gshm gsmh hlbd hldb hlgm hlin hlmi
hlnr hmgr hmqr hmri hrlm abceq abcfm abcgn abchq abciq abcjl abckh abclh abcmr abcnr abcoq abcqh abcri abcsr abctm
abcum abcxm abdfm abdgm abdhl abdim abdjm abdkm abdlh abdmn abdnq abdom abdqi abdrh abdsn abdtm abdxm abegm abehq
abeim abejh abelh abemr abenr abeoh abeqh aberh abesm abetm abfgd abfis abfkm abflm abfmi abfnm abfpm abfqn abfrm
abfsh abfum abghi abgih abgjm abgkm abglm abgnd abgor abgpm abgqm abgrh abgsm abgtm abgum abgvn abgwn abgxm abgyn
abhkl abhld abhnd abhol abhpd abhqm abhrm abhsd abhtd abhum abhvr abhxm abijs abikl abild abind abiol abipm abiqm
abird abisd abitm abium abivm abiwm abixq abiym abjlm abjmh abjnm abjot abjqh abjrd abjsl abjto abklm abkmi abkng
abkpm abkqh abksh abktg abkuh ablnd ablom ablpi ablqm ablrn ablsr abltm abluh ablvn ablwi ablxn ablyh abmnl abmoh
abmpr abmtr abmur abmvh abmwh abmxh abmyh abnog abnpq abnqm abnrl abnsd abntr abnur abnvr abnwg abnxl abnyr aboqh
abosl abotj abpqn abpsh abpum abqti abqui abqvh abqwh abqxi abqym abrsq abruh abrvd abrxd abstr absum absvl abswm
absxh absyh abvwx abwxv acbdm acbem acbfm acbgq acbhn acbim acbjm acbks acblq acbmi acbnh acbom acbpm acbqi acbrn
acbsi acbtn acbus acbvm acbwr acbxm acbym acdem acdfm acdgq acdhr acdiq acdjm acdkm acdlm acdmq acdnq acdom acdpm
acdqi acdrq acdsm acdtm acdum acdvm acdwm acdxm acdym acefm acegl acehi aceiq acejm acekh aceli acemi acens aceom
acepm aceqi acerq acesh acetm acfgn acfhq acfim acfjm acfkm acfln acfmq acfnl acfpm acfqs acfrl acfsl acftm acfum
acfvm acfxm acghi acgih acgjh acgkr acglq acgni acgor acgpn acgql acgrh acgtr acgul acgvl acgwr acgxn acgyl achjg
achkl achli achmi achni achoq achpm achqi achri achsi achtn achul achvl achwr achxq achys acijq acikq aciln acioq
acipm acitq aciuq acivq aciwq acixd aciyd acjkm acjln acjmq acjnl acjot acjpm acjqi acjrn acjsh acjto acjum acjvr
acjwm acjxm acjym ackln ackml acknl ackoh ackpm ackqi ackrn acksh acktm ackum aclon aclpi aclrn aclsm acltq aclui
aclvg aclwn aclxg aclyn acmnl acmol acmpi acmti acmui acmvh acmwh acmxi acmyq acnol acnpq acnqi acnrl acnsi acntl
acnuq acnvr acnwg acnxs acnyi acopm acoqi acorm acosl acotj acouh acpqi acprg acpsh acptm acpum acpvm acpxm acqrs
acqtl acqui acqvi acqwi acqxi acqym acrsq acrtq acrum acrvn acrwl acrxl acryg acstl acsum acsvm acswl acsxn acsym
actxm actym acvwx acwxv adbfm adbgl adbhm adbiq adbjm adbkm adblg adbnm adbom adbpm adbql adbrh adbsh adbtm adbum
adbvm adcfm adcgr adchq adciq adcjm adcks adclh adcmh adcnh adcpm adcqi adcrl adcsl adcum adegn adehq adeil adejm
adeli ademh adenr adeoh adeqh aderi adesh adetl adfgh adfim adfkm adflb adfmi adfnm adfpm adfqh adfrm adfsl adfum
adghb adgih adgjl adgkn adglq adgnf adgon adgpm adgql adgrh adgsm adgtm adgun adgvn adgwr adgxn adgys adhkn adhlb
adhnb adhon adhpb adhqm adhrm adhsm adhtb adhuq adhvm adhxr adijq adikm adilb adinm adiof adipm adiqb adirb adisb
aditm adium adivm adiwm adixq adjlg adjmh adjnm adjot adjqh adjrn adjsl adjto adkli adkmh adknm adkpg adkql adksh
adkum adlnb adloi adlph adlqb adlrn adlsb adltr adlui adlvn adlwh adlxr adlyh admon admpi admtr admur admvh admwh
admxh admyh adnom adnpm adnqm adnrl adnsr adntg adnuh adnvl adnwh adnxl adnyg adopi adoqi adosl adotj adpqg adpsm
adpum adqth adquh adqvh adqwh adqxb adqyh adrsb adrui adrvn adrxb adstr adsum adsvh adswl adsxh adsyl advwx adwxv
aebcm aebdm aebfm aebgh aebhn aebim aebjm aebks aeblg aebmh aebnh aebor aebpm aebql aebrh aebsm aebtm aebuq aebvm
aebwm aebxm aebym aecfn aecgs aechq aecks aeclh aecmh aecpm aecqr aecri aecuq aecvm aecwq aefgs aefhs aefih aefjm
aefkm aeflr aefmh aefnl aefom aefpm aefqm aefrl aefsn aeftm aefum aefvm aefwm aefxm aefys aegkn aegon aegpm aegtm
aegum aegvl aegwl aegys aehkn aehpl aehrm aehuq aehvr aehws aekli aekmn aekng aekoh aekpm aekqn aekrl aeksl aektm
aekum aekvm aekwi aekxm aekys aelph aeltn aelui aelvi aelwr aelxr aelyn aempn aemui aemwh aepqi aepri aepsr aeptm
aepum aepvm aepwi aepxm aepys aequi aeqvm aeqwh aeqxm aeqym aeruq aerwm aeuvm aeuwm aeuxm aevwx agbhn agbix agbmr
agbnr agbsq agcmr agcqt agdlm agdmk agdqr agdsn ageml agesm aghlr aghmr aghnq aghqm aghsm agimq agiof agirq agitr
agivq agjmf agjot agjsi agjto agmnl agmon agmsq agmtr agmyn agnrq agnsi agosi agotj agsti ahbgp ahbil ahbmq ahbrl
ahbsp ahcgm ahcil ahcmq ahcqn ahcsn ahdgl ahdiq ahdml ahdqm ahdrq ahegp ahemq ahesq ahfgn ahfjs ahflr ahfml ahfnl
ahfqi ahfrl ahfsn ahgiq ahgkn ahglq ahgml ahgnl ahgol ahgpn ahgql ahgrn ahgsm ahgtp ahgun ahgvp ahgxn ahijl ahikq
ahiln ahind ahipt ahiqm ahirl ahisn ahivl ahixn ahjlm ahjml ahjnl ahjot ahjqi ahjri ahjsl ahjty ahkmb ahlrs ahlsg
ahlxf ahmnl ahmol ahmps ahmrl ahmsl ahmtl ahmuq ahmvd ahmwb ahmxb ahmyi ahnql ahnrp ahnvl ahotj ahprq ahqrs ahrsq
ahrts ahrvl ahsuq ahsvl ahvwx ahvxu aibmr aibnm aibsl aicmr aicsr aidgs aidhl aidln aidmr aidqn aiegr aieml aiesl
aifml aifqh aifsd aighr aigkl aiglq aigms aignl aigor aigps aigql aigrs aigsq aigtr aigur aigxl aihls aihmr aihnr
aihqc aihsm aihtm aijmh aijnr aijot aijqh aijrh aijsg aijty aikml ailmk ailrg ailsg aimnl aimol aimpb aimqg aimrh
aimsq aimtc aimul aimvl aimwn aimxb aimyh ainqh ainrg aiotj aiqsr aiqxd airsq aisul aisvl aiswl aivwx aivxw aiwxv
ajbct ajbdm ajbes ajbfm ajbgt ajbht ajbim ajblt ajbmq ajbnt ajbpt ajbqt ajbrm ajbsm ajbtm ajcdt ajcen ajcgt ajcht
ajcim ajclt ajcmt ajcnt ajcog ajcqm ajcrt ajcsm ajctm ajcvi ajcwm ajdem ajdft ajdgt ajdhl ajdit ajdlt ajdmn ajdnt
ajdom ajdpm ajdqm ajdrn ajdso ajdtm ajdum ajdvm ajdwm ajdxh ajdym ajegr ajehn ajeir ajels ajemn ajeni ajeqn ajerd
ajesm ajevh ajews ajexm ajfgt ajfht ajfir ajflt ajfmt ajfnq ajfqi ajfrt ajfso ajfvm ajfxm ajghr ajgit ajgkn ajglq
ajgnt ajgon ajgpr ajgrt ajgtq ajgut ajgvt ajgwq ajgxt ajgyq ajhit ajhkn ajhlt ajhnt ajhon ajhpt ajhqt ajhrm ajhst
ajhtn ajhut ajhvm ajhwt ajhxm ajhyq ajikm ajilt ajioq ajipn ajirt ajisn ajitq ajiuq ajivm ajiwm ajixq ajiym ajkmt
ajknm ajkqm ajkrt ajksm ajlnm ajlom ajlpd ajlrt ajlst ajltn ajlut ajlvt ajlwh ajlxt ajlym ajmon ajmpt ajmti ajmun
ajmvt ajmwt ajmxt ajmys ajnom ajnpt ajnqt ajnrt ajntl ajnum ajnvt ajnwm ajnxt ajnym ajopm ajoqi ajorn ajosl ajoum
ajovm ajoxm ajpqt ajprt ajpst ajptm ajpvm ajpxm ajqrt ajqst ajqti ajqun ajqvt ajqwt ajqxm ajqym ajrst ajrts ajrut
ajrvt ajrwt ajrxm ajrym ajstl ajsut ajsvm ajswt ajsxt ajsyq ajtum ajtvm ajtwm ajtxm ajuvt ajuwt ajuxt ajvwy ajvxw
ajvym ajwxv ajwym ajxym ambgi ambiq ambsv amcgr amcih amcqr amcsr amdgr amdhi amdif amdqp amdsq amegs amesg amghi
amgif amgnf amgsh amgtp amhig amhlb amhng amhqb amhsg amijd amins amiqh amird amisd amitl amivq amixb amjni amjsp
amjto amnrp amnsi amosl amstl amsyb anbir anblr anbmr anbsv ancir anclr ancmh ancsh andfi andgr andhr andir andls
andmt andqi andsr anegq aneiq anelh anemr anesh anfiq anflr anfmj anfqb anfrg anfsh anghi angih angkm anglq angmr
angom angpm angrh angsm angtm anguq angxd anhld anhmr anhpm anhqm anhsr anhxp anijq anikm anilh anioq anipj aniqm
anirm anisq anith aniuh anivh aniwh anixq aniyq anjlm anjmg anjot anjqh anjsh anjty ankmg anksm anlmq anlpr anlqg
anlrb anlst anlth anlur anlvh anlxr anlyh anmog anmpq anmsr anmtr anmuh anmvg anmwi anmxh anmyq anoqh anosm anotj
anpsr anqsr anqxh anrsq anrxf anstr ansuh ansvh answh ansxh ansyq anvwx anvxu anwxv aobcm aobdt aobem aobfm aobgq
aobhn aobiq aobjm aobkm aoblq aobmq aobnh aobpn aobqi aobrh aobsj aobtm aobun aobvs aobwm aobxm aobym aocdt aocem
aocgr aochr aocit aocjm aoclt aocmi aocnr aocqi aocrh aocsh aoctl aocun aocvm aocwn aocxj aocyg aodem aodfj aodgr
aodhq aodij aodjq aodkm aodlp aodmn aodnt aodpm aodqi aodrq aodst aodtm aoduj aodvm aodwt aodxt aodym aoefn aoegq
aoehq aoeiq aoejl aoekm aoelq aoemi aoeni aoepg aoeqi aoeri aoesi aoetg aoeun aoevs aoewl aoexm aoeys aofgh aofhq
aofij aofjm aoflt aofmq aofnt aofpj aofqj aofrl aofsj aofts aofuj aofvj aofwj aofxl aofys aoghi aogjm aogkn aoglq
aogni aogpq aogti aogum aogvl aogwt aogxj aogyi aohij aohjq aohkn aohlj aohni aohpm aohqm aohrm aohst aohtn aohuq
aohvq aohwr aohxr aohyr aoijq aoikm aoipt aoitm aoiuq aoivq aoiwq aoixj aoiyg aojkl aojli aojmq aojnr aojpg aojqi
aojri aojsq aojtg aojul aojvr aojwm aojxq aojyg aokln aokmi aoknl aokqm aokrt aokst aoktl aokuj aokxt aokym aolmq
aolph aolsj aolth aoluq aolvj aolwi aolxr aolys aompq aomtq aomuq aomvj aomwj aomxj aomys aonpt aonsi aonth aonut
aonvj aonwm aonxj aonyg aopqj aoprj aopsj aoptm aoput aopvm aopwn aopxj aopym aoqti aoqui aoqvj aoqwm aoqxj aoqys
aorsq aorti aorui aorvt aorwh aorxj aoryh aostm aosut aosvh aoswm aosxj aosym aotum aotvm aotwl aotxm aotyg aouvt
aouwj aouxj aouyn aovwx aovxw aovym aowxv aowym aoxym asbgh asbil asbmq asciv ascmq asdgi asdmh asdqi asegm aseml
asghi asgjn asgmi asgnm asgoq asgtp ashlq ashmr ashnq ashqi ashtr asimq asirh asitq asivh asiwf asjmr asjom asjrh
asjtm asmnl asmop asmtr asmyl asnrl asnth asotm atbcj atbdm atbem atbfj atbgj atbhj atbim atbjm atblj atbmj atbnj
atbom atbpr atbqj atbrj atbsj atbur atcdj atcem atcgj atchj atcij atcjm atclj atcmj atcnr atcoq atcqg atcrj atcsm
atcxm atdem atdfm atdgj atdhr atdij atdjm atdlj atdmn atdnj atdom atdpj atdqj atdrm atdsn atdxm atefm ategm atehq
ateim atekq atelm atemg atenq ateoq ateqn ateri atesm ateum atevm atewg atexm atfgj atfhi atfiq atfjm atflj atfmj
atfnm atfom atfqi atfrl atfsj atfvm atfxr atghj atgij atgjm atgkm atgnj atgor atgpj atgrj atguj atgvj atgwh atgxj
atgyn athij athjq athkj athlj athnj athol athpj athqj athrm athsj athuq athvm athwr athxm athym atijm atikm atilj
atioq atipo atirj atisn atium ativl atiwm atixm atiym atjkm atjln atjmh atjnm atjqi atjrm atjsl atjvm atjwm atjxm
atkmn atknq atkqj atkrj atksm atloh atlpj atlrj atlsj atlum atlvj atlwm atlxj atlym atmol atmpj atmun atmvl atmwj
atmxn atmyi atnoq atnpj atnqj atnrj atnsi atnuo atnvj atnwr atnxj atnym atoqn atorn atosh atoum atoxm atpqj atprj
atpsr atpvm atpxm atqrj atqsj atqui atqvj atqwj atqxj atqyi atrsm atruj atrvj atrwj atrxm atryn atsuj atsvj atswj
atsxj atsym atuvj atuwj atuxj atvwx atvxw atvym atwxv atxym aybcm aybdm aybem aybfi aybgr aybhq aybiq aybjq aybkr
ayblq aybmq aybni aybom aybpm aybqi aybrq aybsn aybtn aybum aybvm aybwm aybxm aycdm aycem aycgh aychq ayciq aycjg
ayckm ayclh aycmq aycnr aycom aycpm aycqi aycri aycsr aycum aycvm aycwl aydem aydgr aydhl aydiq aydjq aydlq aydmq
aydnq aydpl aydqi aydri aydsh aydum aydvm ayegi ayehq ayeiq ayeli ayemq ayeqi ayeum bcaen bcafm bcagm bcahm bcaim
bcakh bcalr bcamh bcanh bcaom bcaph bcaqm bcarm bcash bcatl bcdem bcdfm bcdgm bcdhm bcdim bcdjm bcdkm bcdlm bcdns
bcdom bcdpm bcdqs bcdrm bcdsm bcdtm bcdum bcdxm bcegm bcehm bceim bcejm bcelh bcemh bcens bceom bceqh bcerm bcesm
bcetm bdafh bdagm bdahm bdaiq bdalr bdamh bdang bdapm bdaqm bdarh bdash bdcgs bdclr bdcmh bdcqh bfagm bfahn bfaim
bfamn bfanr bfcgp bfchl bfclh bfcmr bfcnr bfcqh bfcsp bfdgm bfdhl bfdil bfdlm bfdmr bfdnq bfdqp bfdrh bfdsm bfegp
bfehl bfeim bfelk bfemh bfeqi bferp bfesp bfghd bfgid bfgjd bfgnp bfgod bfgsm bfgtp bfhip bfhjd bfhld bfhmc bfhnd
bfhok bfhqm bfhrm bfhsm bfhtd bfhvd bfhwq bfhxd bfhyp bfijp bfind bfird bfisd bfitd bfivp bfiwr bfixd bfjnp bfjot
bfjrd bfjsd bfjte bfmnl bfmsg bfmtd bfnrp bfnsd bfnxd bfosd bfote bfstp bgahm bgalm bgamd bgcml bgdmn bgemr bgesm
bgflr bgfmh bgfpa bgfrd bgfsj bghlr bghmr bghpd bghqd bghsi bgild bgimq bgind bgipd bgird bgisd bgjmd bgjqd bgjsd
bgjte bgkmd bgkpa bglmn bglrd bglsm bgltd bgmnl bgmod bgmpd bgmqi bgmrh bgmsd bgmtd bgmud bgmvd bgmwd bgmxd bgmyd
bgnqd bgote bgqst bgrsp bgvwx bgvxw bhdms bhfnd bhfpk bhgld bhgms bhgnl bhild bhimq bhind bhjlm bhjri bhjte bhlnm
bhlrj bhlsc bhltn bhmsg bhnql bhnrl bhrsq bhvxw biaml bidgs bidhr bidln bidmr bidqn bifpk biglm bigms bigns bigqd
bigrd bigsm bihls bihmr bihnl bihqm bihsg bijmd bijng bijoe bijqg bijsd bijte bilrd bilsc bimnl bimsg bimts bimxs
bimyd binqp binrd biotj biqrp biqsr bivxw bjahl bjanm bjaqn bjarm bjcht bjciq bjclh bjcnr bjcqn bjcsn bjdgr bjdhl
bjdlt bjdmt bjdnt bjdqh bjdrt bjdsr bjegs bjehl bjeir bjemn bjena bjeqh bjeri bjesm bjfgd bjfhd bjfid bjfkp bjflh
bjfnd bjfpk bjfrh bjght bjgid bjgln bjgnt bjgod bjgqt bjgrt bjgsm bjgtm bjgvt bjgxt bjgyn bjhim bjhkt bjhld bjhnm
bjhol bjhpd bjhqm bjhrm bjhsd bjhtq bjhut bjhvd bjhwd bjhxo bjhyd bjikn bjild bjind bjion bjipt bjird bjisd bjitm
bjivt bjiwt bjixt bjiym bjknd bjkpa bjkst bjlmn bjlnm bjlqh bjlrh bjlsd bjltm bjlxd bjmno bjmod bjmrh bjmsg bjmtq
bjmvd bjmys bjnol bjnpc bjnqt bjnrd bjnsd bjntp bjnuq bjnvd bjnwt bjnxt bjnym bjorh bjpqd bjprt bjqrt bjqsr bjqtm
bjqvd bjqwn bjqyd bjrst bjrtd bjrxl bjstm bjsvt bjsxd bjvwx bjvxw bjwxv bkacn bkaem bkafm bkags bkahr bkaim bkalh
bkami bkang bkaqm bkari bkasm bkatm bkauh bkawm bkaxm bkcfm bkcgs bkchr bkcip bkclh bkcmh bkcng bkcqh bkcrh bkcsr
bkcum bkdfm bkdgm bkdhf bkdif bkdjm bkdlh bkdmi bkdnf bkdpm bkdqm bkdrh bkdsm bkdur bkefm bkegm bkehf bkeim bkelf
bkemh bkenp bkepm bkeqm bkerf bkesq bkfgm bkfhd bkfim bkfjh bkflr bkfmh bkfnm bkfod bkfpd bkfqd bkfrm bkfsm bkftd
bkfvh bkfwm bkfxd bkghf bkgif bkgjd bkgld bkgnp bkgod bkgph bkgqp bkgrd bkgsm bkgtd bkgud bkgvd bkgwp bkgxd bkgyd
bkhif bkhjd bkhld bkhnd bkhod bkhpd bkhqf bkhrm bkhsd bkhtd bkhud bkhvl bkhwm bkhxg bkhyf bkijd bkild bkind bkiod
bkipm bkiqm bkird bkisd bkitd bkiuq bkivp bkiwd bkixd bkiyd bkjld bkjmf bkjnp bkjot bkjqd bkjrd bkjsd bkjte bklmf
bklnf bklod bklpd bklqd bklrd bklsd bkltp bkluh bklvd bklwd bklxf bklyd bkmod bkmps bkmtq bkmud bkmvd bkmwd bkmxd
bkmyd bknod bknpm bknqp bknrp bknsd bkntp bknud bknvp bknwd bknxp bknyp bkoqd bkosp bkote bkpqm bkprm bkpsm bkqrp
bkqtd bkqud bkqvd bkqwd bkqxd bkqyd bkrsp bkrtd bkrui bkrvd bkrxd bkstd bksum bksvd bkswd bksxp bksyp bkvwx bkvxu
bkwxv blagi blair blamh blanr blaqh blcgh blcmg blcnf blcqh bldgs bldmt bldni bldqj blega blemf blenh bleqr blesp
blfnr blfpa blgnd blgph blgsm blhni blhqr blins bliqm bljnr bljto blmpd blmrh blnph blnqh blnrh blnsd blpqd blqrp
blqsp bmfld bmfpa bmghi bmgld bmgnd bmgqd bmgrd bmhld bmhqd bmild bmind bmjto bmlqd bmlrd bmlsj bmnqd bmnsd bmqrs
bmqsr bmvxw bndhr bndli bndmr bnegq bnesq bnfpk bnghi bnglq bngmh bnhig bnhld bnhqd bnhrm bnhsd bnilj bnimq bnith
bnjlm bnjmd bnjte bnlrh bnlsj bnltg bnmrh bnmtq bnrsq bnstm bnvxw boaen boahr boaih boalh boami boanj boaqm boari
boash boatg bocgs bochi bocim bocjm boclh bocmh bocng bocqm bocrl bocsm boctg bocyq bodem bodgh bodhr bodij bodjm
bodlh bodmn bodnt bodqm bodrh bodsj bodtm boefm boegm boehm boeiq boejm boelh boemi boeni boeqn boeri boesm boetm
boewn boeyh bofgt bofhd bofid bofjm bofkp boflt bofmh bofnj bofpk bofqd bofrl bofsd boftd boghj bogih bogjs bogld
bognd bogpt bogqd bogrd bogsm bogtm bogud bogvn bogwd bogxd bogyn bohij bohjd bohkd bohld bohnd bohpd bohqd bohsd
bohtd bohum bohvq bohwm bohxd bohyr boijh boikd boilt boind boipm boiqm boird boisn boitm boius boivd boiwd boixn
boiyh bojlm bojmd bojnr bojqm bojrd bojsd bojtd bojvd bojxd bokln bokmd boknj bokpf bokqd boksd bolnj bolpd bolqd
bolrd bolsd bolti boluh bolvt bolwh bolxd bolyd bomnj bompn bomts bomud bomvd bomxd bomyd bonpt bonqd bonrj bonsd
bontd bonud bonvj bonwd bonxd bonyd bopqd boprd boqtm boqum boqvn boqwd boqxd boqyh bortd borvh borxd boryd bostm
bosud bosvd boswd bosxd bosyh botum botxd bovwx bovxy bowxv bqamd bqcms bqdgs bqdmn bqelm bqemi bqern bqfkp bqfmd
bqfpa bqgih bqgms bqgnd bqgrd bqhig bqhmr bqhpd bqhsd bqild bqimh bqipd bqisd bqjld bqjmh bqjto bqlmn bqlrd bqlsd
bqlun bqlxd bqmnl bqmos bqmpd bqmrh bqmsg bqmtp bqnsd bqotj bqvxw brdln brdmn bregm brehn brema bresn brfhi brfkp
brfmd brfpk brghi brgnd brgqd brgsm brgum brhig brhji brhkn brhld brhmg brhnd brhom brhpd brhqm brhsd brhts brhug
brhvl brhwi brhxl brhyl brild brimq bripd briqm brisd briyd brjmd brjot brjqd brjto brlmn brlsd brltm brmnl brmsg
brmtd brmun brmyd brnqd brnsd brqti brqyd brsud brvxw bsamj bscmq bsdgx bsdmr bseml bsfmh bsfpa bsgih bsgjd bsgld
bsgmd bsgnm bsgqd bsgtm bshmr bshqm bsild bsimq bsiqm bsirq bsjmd bsjte bskpf bslmn bslqc bslrd bsmnl bsmol bsmpr
bsmqi bsmrh bsmtd bsnql bsnrl bsnvl bsvxw btahj btair btanm btaqr btarg btcgr btchj btcnm btcqr btcsl btdgj btdhj
btdir btdlj btdmn btdnj btdqr btdrj btegr btehm btelv btemi bteqi btfhd btfkp btflr btfnj btfpa btfqd btfrj btfsj
btghj btgij btgld btgnj btgqj btgrj btgwj bthij bthkj bthld bthnd bthpm bthqd bthrm bthuj bthvq bthwm btild btimq
btipd btiqm btkpf btkqr btlmn btlqj btlrd btpqd btqud bvafx bvagr bvahx bvaim bvajw bvakx bvalh bvamx bvang bvaph
bvaqh bvari bvasm bvatx bvaxt bvcgr bvchm bvcim bvcmx bvcnr bvcqh bvcrm bvcsx bvcyg bvdgs bvdhx bvdix bvdjw bvdmx
bvdnx bvdqi bvdrh bvdsn bvdtm bvdxm bvdym bvegm bvehx bveim bvejx bvelh bvemx bvenx bveqn bverx bvesm bvetm bveym
bvfgd bvfhd bvfid bvfkp bvflx bvfmd bvfnm bvfpk bvfqd bvfrd bvfsx bvgjd bvgkx bvgld bvgnx bvgod bvgqx bvgrx bvgtd
bvhjd bvhkx bvhld bvhnd bvhox bvhsx bvhtx bvijd bvikx bvild bvind bviod bvisx bvitx bvjlx bvjmx bvjnx bvjot bvjto
bvklx bvkmx bvknx bvlmn bvlnm bvlod bvmod bvnod bwafm bwags bwahx bwaix bwajx bwalr bwami bwanx bwapx bwaqv bwarv
bwasm bwatm bwaxh bwcgs bwchr bwcim bwclr bwcmg bwcnx bwcqh bwcrx bwcsm bwdgm bwdhm bwdix bwdjm bwdln bwdmi bwdnx
bwdqs bwdrn bwdsm bwdtm bwdum bwdxm bwegm bwehm bweim bwejm bwelx bwems bwenx bweox bwepm bweqv bwerx bwesm bwetm
bweym bwfgd bwfhd bwfid bwfkp bwflr bwfmd bwfnd bwfpk bwfqd bwfrd bwfsm bwftd bwfud bwfvn bwfym bwghi bwgjd bwgkd
bwgld bwgnd bwgod bwgpd bwgqv bwgrs bwgtd bwgud bwgvd bwgxd bwgys bwhjd bwhkx bwhld bwhnd bwhol bwhpx bwhqd bwhrd
bwhsd bwhtd bwhuc bwhvc bwhxs bwhym bwijd bwikd bwiln bwind bwiod bwipd bwird bwisd bwitd bwium bwivd bwixm bwiym
bwjlm bwjmd bwjnd bwjot bwjqd bwjrx bwjsx bwjto bwjun bwjvn bwjxn bwjyd bwkld bwkmd bwknx bwkpf bwkqd bwkrn bwksd
bwktd bwkud bwlmn bwlnm bwlod bwlpd bwlqn bwlrn bwlsn bwltd bwluh bwlvd bwlxd bwlyd bwmod bwmpg bwmtd bwmud bwmvd
bwmxd bwmyd bwnox bwnpm bwnqd bwnrd bwnsd bwntx bwnuh bwnvd bwnxd bwnyh bwoqd bword bwosd bwotj bwovd bwoxd bwoyd
bwpqm bwprc bwpsx bwpud bwpvd bwpxn bwpym bwqrs bwqtm bwqud bwqvd bwqxd bwqyd bwrtc bwrud bwrvd bwrxl bwryc bwstd
bwsum bwsvd bwsxd bwsym bwtud bwtvd bwtxd bwtyd bxafv bxagm bxahw bxaiw bxalh bxamr bxanp bxapm bxaqv bxarv bxasm
bxcgm bxcir bxclh bxcmv bxcnh bxcqh bxcsm bxdfv bxdgv bxdhv bxdiv bxdln bxdmv bxdnv bxdqh bxdri bxdsv bxegm bxehr
bxeim bxejw bxelh bxemh bxenq bxeqm bxerm bxesm bxetm bxfgw bxfhd bxfid bxfkp bxflv bxfmv bxfnw bxfpk bxfqv bxfsm
bxgjd bxgkv bxglm bxgnd bxgod bxgpv bxgqv bxgrm bxgsm bxhjd bxhkv bxhlm bxhnm bxhov bxhpv bxhqm bxhrm bxijd bxikv
bxilv bxinl bxiov bxipd bxiqm bxjld bxjmd bxjnd bxjot bxklv bxkmd bxknd bxlnm cgahm cgair cgalm cgamn cgaqm cgbhn
cgbiq cgbmx cgbsm cgdms cgdsn cgemh cgesm cgfkp cgflh cgfmi cgfpk cgfqi cgfrn cgfsb cghib cghld cghmr cghnq cghpq
cghqd cghsx cgiln cgimq cgind cgiqm cgirq cgisd cgjmi cgjot cgjqd cgjsi cgjte cgkmd cgkpf cglmn cglqn cglrn cglsr
cglti cgmnl cgmod cgmpe cgmqi cgmri cgmsd cgmtq cgmuh cgmvr cgmwi cgmxn cgmyd cgnqd cgnrb cgnsd cgote cgpsr cgqrs
cgqsr cgqyd cgrsq cgvwx cgvxw chagl chaiq chamb chaqs charn chbgs chbiq chbmq chbrs chfkp chflx chfmn chfnj chfpu
chfrn chfsn chglb chgnl chgqb chgrq chgsm chkrn chlmn chlnm chlrb chlsn chlxr chmrq chmun chmvl chprn chqrs chvxw
ckabm ckadm ckaer ckagq ckahq ckaiq ckajm ckams ckanq ckaom ckasq ckatm ckaym ckbdm ckbem ckbfr ckbgq ckbhn ckbim
ckbjm ckblg ckbmg ckbni ckbom ckbpm ckbqm ckbrn ckbsm ckbth ckbum ckbvm ckbwm ckbxh ckbym ckdem ckdgs ckdhf ckdip
ckdjl ckdlp ckdmq ckdnf ckdpl ckdqm ckdrg ckdsm ckdtl ckdum ckdvm ckdxm ckdym ckegs ckehm ckeip ckejp ckelp ckemq
ckenm ckeom ckeqm ckerg ckesp cketm ckeum ckevm ckexm ckeym ckghi ckgjd ckgom ckgsm ckgtp ckgym ckhig ckhjb ckhlb
ckhob ckhqb ckhsm ckhtb ckhvm ckhwb ckhxb ckhyb ckijm ckiom ckiqm ckitd ckivd ckiwd ckixb ckiym ckjnp ckjoe ckjsd
ckjte ckjvn ckjxi ckjyd ckmof ckmtb ckmyg cknop cknsi ckntb cknwh cknxb cknym ckosp ckotj ckstp cksym cktxs cktym
clagh claiq clami clanh claqh clbgs clbhx clbix clbjh clbmf clbnh clbqi clbrh clbsg clbvf cldgf cldmi cldni cldqf
clegs clems cleqs clesi clfmh clfpk clghi clgnh clgpd clgrs clgsm clhig clhnb clhqr clhrm clhsb clins cliqm clirq
clisd cljmh cljnr cljot cljrh cljto clkmp clmnh clmpi clmus clmvh clmxh clmyh clnpi clnqh clnrq clpqb clqrs clrtd
clvxw cmagx cmaiq cmaqi cmasv cmbgn cmbht cmbif cmbqp cmbsf cmfln cmfpk cmghf cmglb cmgnl cmgrd cmhlb cmhqd cmlqg
cmlrb cmlsj cmqrs cmqsr cmrvd cmvxu cqail cqamn cqbig cqbmx cqbsd cqdgr cqdig cqdmv cqegm cqelm cqemf cqerm cqesh
cqfkp cqfmn cqfpa cqghi cqgih cqgms cqgnr cqgrd cqgsm cqhig cqhln cqhma cqhng cqhps cqhsd cqilh cqimb cqins cqipb
cqirl cqisd cqitl cqixb cqjmh cqjot cqjto cqkmh cqkpf cqlmn cqlph cqlrn cqlsd cqlud cqmnl cqmod cqmps cqmrh cqmsg
cqmts cqmuh cqmvh cqmwh cqmxn cqmyn cqnrl cqnsd cqotj cqrum cqvwx cqvxw cqwxv crafh crahn craig cralb cramv craqi
crasg crbhn crbis crblq crbmg crbng crbpn crbqi crbsg crfhd crfkp crfmb crfpa crfqb crfsb crghi crgnq crgps crgsm
crgts crgub crhkn crhlg crhmg crhpd crhql crhug crhvb crhwg crkmb crkqi crksg crlnm crlpn crlqb crlsg crltn crmpn
crmug crmvd crmwd crpqi crpsg crqsd crqug crqvd crqwb crqxb crqyi crvxu cwabm cwadm cwaeg cwafv cwagq cwahq cwais
cwajm cwakm cwalq cwamq cwanl cwaom cwapv cwaqx cwarv cwasi cwatx cwaum cwavm cwaxm cwaym cwbdm cwbfm cwbgm cwbhn
cwbix cwbjm cwbkr cwblq cwbmq cwbni cwbor cwbpx cwbqm cwbrv cwbsv cwbtn cwbvm cwbxi cwfgd cwfhd cwfid cwfjm cwfkp
cwflb cwfmq cwfnl cwfov cwfpa cwfqd cwfrq cwfsm cwftm cwgkb cwgox cwgqv cwgrb cwhkq cwhlg cwhrb cwklv cwkmx cwknb
cwkod cwlnm ghfpk ghimq ghind ghirn ghisn ghjte gifmb gifpk gihmc gmisx gnhlx gnhmr gnilr gnimq gnjte gnlsh gnmrh
gnmsq gnqst gnrsp gnvxu gshmc hlbde hlgms hlimq hlins hlnrf hmgrk hmqrt hrlmn
"""
