#!/usr/bin/env python3
"""Exports models by torch.export and writes what a runtime needs to prove that it runs them.

    export_models.py OUTDIR [--list FILE] [--kind plain,core] [--jobs N] [--names a,b] [--no-values]

For each model NAME of the list (default: models.txt beside this script):

    NAME.pt2                 torch.export.export(model, ...), as users save it
    NAME.core.pt2            the same after run_decompositions() (Core ATen, functionalized)
    NAME.expected.safetensors   tensors "input.0" ... and "output.0" ... (flattened as the pytree specs say); outputs
                             are those of the eager module; "second.0" ... where a second call gives something else
    NAME.other.safetensors   the same for other sizes, of a model with dynamic sizes
    NAME.json                how it went: seconds, operators, what failed

Fixed seeds, random weights, small inputs. Batch norms get statistics from one pass over random data: with the initial
ones (0 and 1) the outputs of deep networks overflow or vanish, and a comparison would prove nothing.
"""
import argparse, collections, copy, json, os, sys, time, traceback, warnings

warnings.filterwarnings("ignore")
import torch

HERE = os.path.dirname(os.path.abspath(__file__))

# ------------------------------------------------------------------------------------------------ torchvision

def tv(name, size=64, batch=1, **kw):
    def make():
        import torchvision.models as m
        kw2 = dict(kw)
        kw2.setdefault("weights", None)
        model = m.get_model(name, **kw2)
        shrink(model)
        if hasattr(model, "heads") and hasattr(model.heads, "head"):   # ViT's begins as zeros
            torch.nn.init.normal_(model.heads.head.weight, std=0.02)
        return model, (torch.randn(batch, 3, size, size),)
    return make


def shrink(model):
    """The two classifiers of AlexNet and VGG are 200 to 400 MB of the same operator: they get 64 hidden features."""
    c = getattr(model, "classifier", None)
    if isinstance(c, torch.nn.Sequential):
        lin = [i for i, l in enumerate(c) if isinstance(l, torch.nn.Linear)]
        if len(lin) == 3 and c[lin[0]].in_features > 9000:
            c[lin[0]] = torch.nn.Linear(c[lin[0]].in_features, 64)
            c[lin[1]] = torch.nn.Linear(64, 64)
            c[lin[2]] = torch.nn.Linear(64, 1000)


def tv_seg(name, size=64):
    return tv(name, size, weights_backbone=None)


class DetectionHeads(torch.nn.Module):
    """A detector up to what depends on data: batched_nms asks how many boxes there are, which torch.export refuses
    (GuardOnDataDependentSymNode in torchvision/ops/boxes.py); the loop after that is a caller's matter on devices, too."""
    def __init__(self, model):
        super().__init__()
        self.backbone, self.head = model.backbone, getattr(model, "head", None) or model.rpn.head
    def forward(self, x):
        features = self.backbone(x)
        features = list(features.values()) if isinstance(features, dict) else [features]
        out = self.head(features)
        return tuple(torch.utils._pytree.tree_leaves(out))


def tv_det(name, size=96, whole=False, **kw):
    def make():
        import torchvision.models as m
        model = m.get_model(name, weights=None, weights_backbone=None, **kw)
        if whole:
            return model, ([torch.rand(3, size, size)],)
        return DetectionHeads(model), (torch.rand(1, 3, size, size),)
    return make


def tv_video(name, frames=4, size=32):
    def make():
        import torchvision.models as m
        return m.get_model(name, weights=None), (torch.randn(1, 3, frames, size, size),)
    return make


def tv_raft():
    import torchvision.models as m
    class Wrap(torch.nn.Module):
        def __init__(self):
            super().__init__(); self.m = m.get_model("raft_small", weights=None)
        def forward(self, a, b):
            return self.m(a, b, num_flow_updates=2)[-1]
    return Wrap(), (torch.randn(1, 3, 128, 128), torch.randn(1, 3, 128, 128))


# ----------------------------------------------------------------------------------------------- transformers

def ids(n=8, vocab=99, batch=1):
    return torch.randint(3, vocab, (batch, n))


class Wrap(torch.nn.Module):
    """Calls a transformer with keywords and returns its first outputs as a flat tuple."""
    def __init__(self, model, names, keep):
        super().__init__()
        self.model, self.names, self.keep = model, names, keep

    def forward(self, *args):
        out = self.model(**dict(zip(self.names, args)), return_dict=True, **({"use_cache": False} if self.nocache else {}))
        return tuple(getattr(out, k) for k in self.keep if getattr(out, k, None) is not None)


def hf(cls, cfg_cls, cfg, inputs, keep=("logits", "last_hidden_state"), nocache=False):
    def make():
        import transformers as t
        c = getattr(t, cfg_cls)(**(cfg() if callable(cfg) else cfg))
        c._attn_implementation = "sdpa"
        try:
            model = getattr(t, cls)(c)
        except ValueError:
            c._attn_implementation = "eager"
            model = getattr(t, cls)(c)
        w = Wrap(model, list(inputs), keep)
        w.nocache = nocache
        return w, tuple(v() for v in inputs.values())
    return make


TXT = dict(vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
           max_position_embeddings=64)
DEC = dict(TXT, num_key_value_heads=2, pad_token_id=0, bos_token_id=1, eos_token_id=2)
IDM = {"input_ids": ids, "attention_mask": lambda: torch.tensor([[1, 1, 1, 1, 1, 1, 0, 0]])}
ID = {"input_ids": ids}


def ids2():
    return ids(8, batch=2)


PIX = {"pixel_values": lambda: torch.randn(1, 3, 32, 32)}
VIS = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, image_size=32, patch_size=8)


def gpt2_step():
    """One token with a cache that is an argument and a result: what a decoder runs."""
    import transformers as t
    cfg = t.GPT2Config(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64)
    cfg._attn_implementation = "sdpa"
    model = t.GPT2LMHeadModel(cfg)
    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__(); self.m = model
        def forward(self, token, *kv):
            cache = t.DynamicCache()
            for i in range(0, len(kv), 2):
                cache.update(kv[i], kv[i + 1], i // 2)
            out = self.m(input_ids=token, past_key_values=cache, use_cache=True)
            flat = []
            for l in out.past_key_values.layers:
                flat += [l.keys, l.values]
            return (out.logits, *flat)
    return Step(), (ids(1), *[torch.randn(1, 4, 5, 8) for _ in range(4)])


def llama_static_step():
    """One token with a static cache held in buffers, which the step writes."""
    import transformers as t
    cfg = t.LlamaConfig(**DEC); cfg._attn_implementation = "sdpa"
    model = t.LlamaForCausalLM(cfg).eval()
    from transformers.integrations.executorch import TorchExportableModuleForDecoderOnlyLM  # noqa
    model.generation_config = t.GenerationConfig(use_cache=True, cache_implementation="static", max_length=16,
        cache_config={"batch_size": 1, "max_cache_len": 16})
    m = TorchExportableModuleForDecoderOnlyLM(model, batch_size=1, max_cache_len=16) \
        if "batch_size" in TorchExportableModuleForDecoderOnlyLM.__init__.__code__.co_varnames \
        else TorchExportableModuleForDecoderOnlyLM(model)
    inner = m.model if hasattr(m, "model") else m
    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__(); self.m = inner
        def forward(self, token, position):
            return self.m(input_ids=token, cache_position=position)
    return Step(), (ids(1), torch.tensor([3]))


# --------------------------------------------------------------------------------------------- small networks

class Mlp(torch.nn.Module):
    def __init__(self, width=16):
        super().__init__(); self.a = torch.nn.Linear(width, width); self.b = torch.nn.Linear(width, width)
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


class LstmTagger(torch.nn.Module):
    def __init__(self):
        super().__init__(); self.e = torch.nn.Embedding(50, 16); self.l = torch.nn.LSTM(16, 24, 2, batch_first=True, bidirectional=True)
        self.o = torch.nn.Linear(48, 7)
    def forward(self, x):
        y, (h, c) = self.l(self.e(x)); return self.o(y), h, c


class GruNet(torch.nn.Module):
    def __init__(self):
        super().__init__(); self.l = torch.nn.GRU(12, 20, 1, batch_first=True); self.o = torch.nn.Linear(20, 5)
    def forward(self, x):
        return self.o(self.l(x)[0][:, -1])


class Counter(torch.nn.Module):
    """Buffers that the program writes: the second call's result differs from the first one's."""
    def __init__(self):
        super().__init__(); self.register_buffer("n", torch.zeros((), dtype=torch.int64)); self.register_buffer("sum", torch.zeros(4))
        self.register_buffer("scratch", torch.ones(4), persistent=False)
    def forward(self, x):
        self.n.add_(1); self.sum.copy_(self.sum + x); self.scratch.mul_(2)
        x.clamp_(min=0)
        return self.sum / self.n + self.scratch, x


class Cond(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.cos() + 1, lambda x: x.sin() - 1, (x,))


class Conv1d(torch.nn.Module):
    def __init__(self):
        super().__init__(); self.n = torch.nn.Sequential(torch.nn.Conv1d(4, 8, 3, padding=1), torch.nn.BatchNorm1d(8), torch.nn.GELU(),
            torch.nn.AvgPool1d(2), torch.nn.ConvTranspose1d(8, 4, 4, 2, 1), torch.nn.Tanh())
    def forward(self, x):
        return self.n(x)


class TransformerEnc(torch.nn.Module):
    def __init__(self):
        super().__init__(); self.t = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)
    def forward(self, x):
        return self.t(x)


class Attention16(torch.nn.Module):
    """Attention, softmax and norms in bfloat16, which compute in float."""
    def __init__(self):
        super().__init__(); self.n = torch.nn.LayerNorm(32); self.qkv = torch.nn.Linear(32, 96); self.to(torch.bfloat16)
    def forward(self, x):
        q, k, v = self.qkv(self.n(x)).unflatten(-1, (3, 4, 8)).permute(2, 0, 3, 1, 4)
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return (y * y.var(-1, keepdim=True)).softmax(-1), torch.linalg.vector_norm(y, dim=-1)


class UNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        c = lambda i, o: torch.nn.Sequential(torch.nn.Conv2d(i, o, 3, padding=1), torch.nn.GroupNorm(2, o), torch.nn.SiLU())
        self.d1, self.d2, self.u1 = c(3, 8), c(8, 16), c(24, 8); self.up = torch.nn.ConvTranspose2d(16, 16, 2, 2); self.o = torch.nn.Conv2d(8, 2, 1)
    def forward(self, x):
        a = self.d1(x); b = self.d2(torch.nn.functional.max_pool2d(a, 2)); u = self.up(b)
        return self.o(self.u1(torch.cat([a, torch.nn.functional.interpolate(u, size=a.shape[-2:], mode="bilinear")], 1)))


def small(cls, *inputs, dyn=None, **kw):
    def make():
        return (cls(**kw), tuple(i() for i in inputs)) + ((dyn(),) if dyn else ())
    return make


def dynamic(make, dims):
    def made():
        m, a = make()[:2]
        return m, a, dims()
    return made


def batch_of(n_args, second=None):
    def dims():
        b = torch.export.Dim("batch", min=1, max=64)
        one = {0: b}
        if second is not None:
            one[1] = torch.export.Dim("length", min=2, max=60)
        return (tuple(dict(one) for _ in range(n_args)),)   # for Wrap(*args)
    return dims


R = torch.randn
MODELS = collections.OrderedDict([
    # hand-written
    ("mlp", small(Mlp, lambda: R(3, 16))),
    ("mlp_dynamic", small(Mlp, lambda: R(3, 16), dyn=lambda: ({0: torch.export.Dim("batch", min=1, max=64)},))),
    ("lstm", small(LstmTagger, lambda: torch.randint(0, 50, (2, 6)))),
    ("gru", small(GruNet, lambda: R(2, 6, 12))),
    ("counter", small(Counter, lambda: R(4))),
    ("cond", small(Cond, lambda: R(4))),
    ("conv1d", small(Conv1d, lambda: R(2, 4, 16))),
    ("transformer_encoder", small(TransformerEnc, lambda: R(2, 5, 32))),
    ("attention_bfloat16", small(Attention16, lambda: R(2, 5, 32).bfloat16())),
    ("unet", small(UNet, lambda: R(1, 3, 16, 16))),
    # torchvision, classification
    ("alexnet", tv("alexnet", 96)), ("vgg11", tv("vgg11", 32)), ("vgg16_bn", tv("vgg16_bn", 32)),
    ("resnet18", tv("resnet18")), ("resnet50", tv("resnet50")), ("wide_resnet50_2", tv("wide_resnet50_2")),
    ("resnext50_32x4d", tv("resnext50_32x4d")),
    ("resnet18_dynamic", dynamic(tv("resnet18", batch=2), lambda: ({0: torch.export.Dim("batch", min=1, max=64)},))),
    ("densenet121", tv("densenet121")), ("googlenet", tv("googlenet", 96, init_weights=False)),
    ("inception_v3", tv("inception_v3", 160, init_weights=False)),
    ("squeezenet1_0", tv("squeezenet1_0")), ("squeezenet1_1", tv("squeezenet1_1")),
    ("shufflenet_v2_x0_5", tv("shufflenet_v2_x0_5")), ("shufflenet_v2_x1_0", tv("shufflenet_v2_x1_0")),
    ("mobilenet_v2", tv("mobilenet_v2")), ("mobilenet_v3_small", tv("mobilenet_v3_small")),
    ("mobilenet_v3_large", tv("mobilenet_v3_large")), ("mnasnet0_5", tv("mnasnet0_5")), ("mnasnet1_0", tv("mnasnet1_0")),
    ("efficientnet_b0", tv("efficientnet_b0")), ("efficientnet_b3", tv("efficientnet_b3")),
    ("efficientnet_v2_s", tv("efficientnet_v2_s")),
    ("convnext_tiny", tv("convnext_tiny")), ("convnext_small", tv("convnext_small")),
    ("swin_t", tv("swin_t")), ("swin_v2_t", tv("swin_v2_t")), ("vit_b_32", tv("vit_b_32", 64, image_size=64)),
    ("vit_b_16", tv("vit_b_16", 32, image_size=32)), ("maxvit_t", tv("maxvit_t", 224, input_size=(224, 224))),
    ("regnet_x_400mf", tv("regnet_x_400mf")), ("regnet_y_400mf", tv("regnet_y_400mf")), ("regnet_y_1_6gf", tv("regnet_y_1_6gf")),
    # torchvision, segmentation, video, flow, detection
    ("fcn_resnet50", tv_seg("fcn_resnet50")), ("deeplabv3_mobilenet_v3_large", tv_seg("deeplabv3_mobilenet_v3_large")),
    ("deeplabv3_resnet50", tv_seg("deeplabv3_resnet50")), ("lraspp_mobilenet_v3_large", tv_seg("lraspp_mobilenet_v3_large")),
    ("r3d_18", tv_video("r3d_18")), ("r2plus1d_18", tv_video("r2plus1d_18")), ("mc3_18", tv_video("mc3_18")),
    ("s3d", tv_video("s3d", 16, 224)), ("swin3d_t", tv_video("swin3d_t", 4, 32)), ("mvit_v2_s", tv_video("mvit_v2_s", 16, 224)),
    ("raft_small", tv_raft),
    ("ssdlite320_mobilenet_v3_large", tv_det("ssdlite320_mobilenet_v3_large", 320)),
    ("ssd300_vgg16", tv_det("ssd300_vgg16", 300)),
    ("fasterrcnn_mobilenet_v3_large_320_fpn", tv_det("fasterrcnn_mobilenet_v3_large_320_fpn", 96)),
    ("retinanet_resnet50_fpn", tv_det("retinanet_resnet50_fpn", 96)),
    ("fcos_resnet50_fpn", tv_det("fcos_resnet50_fpn", 96)),
    ("fasterrcnn_whole", tv_det("fasterrcnn_mobilenet_v3_large_320_fpn", 96, whole=True, min_size=96, max_size=96)),
    # transformers
    ("hf_bert", hf("BertForSequenceClassification", "BertConfig", TXT, IDM)),
    ("hf_bert_dynamic", dynamic(hf("BertForSequenceClassification", "BertConfig", TXT, {"input_ids": ids2, "attention_mask": lambda: torch.tensor([[1] * 8, [1] * 6 + [0] * 2])}), batch_of(2, "length"))),
    ("hf_roberta", hf("RobertaForMaskedLM", "RobertaConfig", TXT, IDM)),
    ("hf_distilbert", hf("DistilBertForSequenceClassification", "DistilBertConfig", dict(vocab_size=99, dim=32, n_layers=2, n_heads=4, hidden_dim=64, max_position_embeddings=64), IDM)),
    ("hf_albert", hf("AlbertForMaskedLM", "AlbertConfig", dict(TXT, embedding_size=16), IDM)),
    ("hf_electra", hf("ElectraForSequenceClassification", "ElectraConfig", dict(TXT, embedding_size=16), IDM)),
    ("hf_deberta_v2", hf("DebertaV2ForSequenceClassification", "DebertaV2Config", dict(TXT, relative_attention=True, position_buckets=16, pos_att_type=["p2c", "c2p"]), IDM)),
    ("hf_modernbert", hf("ModernBertForMaskedLM", "ModernBertConfig", dict(TXT, pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1, sep_token_id=2), IDM)),
    ("hf_gpt2", hf("GPT2LMHeadModel", "GPT2Config", dict(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64), ID, nocache=True)),
    ("hf_gpt2_dynamic", dynamic(hf("GPT2LMHeadModel", "GPT2Config", dict(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64), {"input_ids": ids2}, nocache=True), batch_of(1, "length"))),
    ("hf_gpt2_step", gpt2_step),
    ("hf_gpt_neox", hf("GPTNeoXForCausalLM", "GPTNeoXConfig", TXT, ID, nocache=True)),
    ("hf_opt", hf("OPTForCausalLM", "OPTConfig", dict(vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=64, max_position_embeddings=64, word_embed_proj_dim=32), IDM, nocache=True)),
    ("hf_bloom", hf("BloomForCausalLM", "BloomConfig", dict(vocab_size=99, hidden_size=32, n_layer=2, n_head=4), IDM, nocache=True)),
    ("hf_falcon", hf("FalconForCausalLM", "FalconConfig", dict(vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4), ID, nocache=True)),
    ("hf_llama", hf("LlamaForCausalLM", "LlamaConfig", DEC, ID, nocache=True)),
    ("hf_llama_step", llama_static_step),
    ("hf_mistral", hf("MistralForCausalLM", "MistralConfig", dict(DEC, sliding_window=16), ID, nocache=True)),
    ("hf_mixtral", hf("MixtralForCausalLM", "MixtralConfig", dict(DEC, num_local_experts=4, num_experts_per_tok=2), ID, nocache=True)),
    ("hf_qwen2", hf("Qwen2ForCausalLM", "Qwen2Config", DEC, ID, nocache=True)),
    ("hf_qwen3", hf("Qwen3ForCausalLM", "Qwen3Config", dict(DEC, head_dim=8), ID, nocache=True)),
    ("hf_gemma", hf("GemmaForCausalLM", "GemmaConfig", dict(DEC, head_dim=8), ID, nocache=True)),
    ("hf_gemma2", hf("Gemma2ForCausalLM", "Gemma2Config", dict(DEC, head_dim=8, sliding_window=4), ID, nocache=True)),
    ("hf_gemma3", hf("Gemma3ForCausalLM", "Gemma3TextConfig", dict(DEC, head_dim=8, sliding_window=4), ID, nocache=True)),
    ("hf_phi", hf("PhiForCausalLM", "PhiConfig", dict(DEC, num_key_value_heads=4), ID, nocache=True)),
    ("hf_phi3", hf("Phi3ForCausalLM", "Phi3Config", DEC, ID, nocache=True)),
    ("hf_olmo2", hf("Olmo2ForCausalLM", "Olmo2Config", DEC, ID, nocache=True)),
    ("hf_mamba", hf("MambaForCausalLM", "MambaConfig", dict(vocab_size=99, hidden_size=32, num_hidden_layers=2, state_size=8), ID, nocache=True)),
    ("hf_t5", hf("T5ForConditionalGeneration", "T5Config", dict(vocab_size=99, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0), dict(IDM, decoder_input_ids=lambda: ids(5)), nocache=True)),
    ("hf_bart", hf("BartForConditionalGeneration", "BartConfig", dict(vocab_size=99, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64), dict(IDM, decoder_input_ids=lambda: ids(5)), nocache=True)),
    ("hf_whisper", hf("WhisperForConditionalGeneration", "WhisperConfig", dict(vocab_size=99, num_mel_bins=16, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_source_positions=30, max_target_positions=30, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1), {"input_features": lambda: R(1, 16, 60), "decoder_input_ids": lambda: ids(5)}, nocache=True)),
    ("hf_wav2vec2", hf("Wav2Vec2ForCTC", "Wav2Vec2Config", dict(vocab_size=32, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, conv_dim=(16, 16, 16), conv_stride=(5, 2, 2), conv_kernel=(10, 3, 3), num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4), {"input_values": lambda: R(1, 800)})),
    ("hf_vit", hf("ViTForImageClassification", "ViTConfig", VIS, PIX)),
    ("hf_dinov2", hf("Dinov2ForImageClassification", "Dinov2Config", VIS, PIX)),
    ("hf_swin", hf("SwinForImageClassification", "SwinConfig", dict(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 4], window_size=4), PIX)),
    ("hf_segformer", hf("SegformerForSemanticSegmentation", "SegformerConfig", dict(hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 2, 2], decoder_hidden_size=16), {"pixel_values": lambda: R(1, 3, 64, 64)})),
    ("hf_detr", hf("YolosForObjectDetection", "YolosConfig", dict(VIS, image_size=[32, 32], num_detection_tokens=5), PIX, keep=("logits", "pred_boxes"))),
    ("hf_clip", hf("CLIPModel", "CLIPConfig", lambda: dict(text_config=dict(TXT, projection_dim=16, bos_token_id=1, eos_token_id=2, pad_token_id=0), vision_config=dict(VIS, projection_dim=16), projection_dim=16), dict(IDM, **PIX), keep=("logits_per_image", "text_embeds", "image_embeds"))),
    ("hf_siglip", hf("SiglipModel", "SiglipConfig", lambda: dict(text_config=dict(TXT, max_position_embeddings=8), vision_config=VIS), dict(ID, **PIX), keep=("logits_per_image",))),
])

# ------------------------------------------------------------------------------------------------------------------

def flatten(x):
    return torch.utils._pytree.tree_leaves(x)


def settle_batch_norms(model, args):
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm) and m.track_running_stats]
    if not norms:
        return
    kept = [m.momentum for m in norms]
    model.eval()
    for m in norms:
        m.train(); m.momentum = 0.9
    def noise(a):
        if isinstance(a, list):
            return [noise(x) for x in a]
        return torch.cat([torch.randn_like(a) for _ in range(3)]) if torch.is_floating_point(a) and a.dim() > 3 else a
    with torch.no_grad():
        model(*(noise(a) for a in args))
    for m, k in zip(norms, kept):
        m.momentum = k
    model.eval()


def with_other_sizes(args, dims):
    """The arguments with three more elements in each dynamic dimension."""
    specs = []
    def collect(spec):
        specs.append(spec) if isinstance(spec, dict) else [collect(part) for part in spec]
    collect(dims)
    result = []
    for a, spec in zip(args, specs):
        for d in spec:
            a = torch.cat([a.flip(d)] * 4, d).narrow(d, 0, a.shape[d] + 3)
        result.append(a.contiguous())
    return tuple(result)


def operators(ep):
    counts = collections.Counter()
    for module in ep.graph_module.modules():
        if isinstance(module, torch.fx.GraphModule):
            for n in module.graph.nodes:
                if n.op == "call_function":
                    t = n.target
                    counts[str(t) if isinstance(t, torch._ops.OpOverload) else getattr(t, "__module__", "") + "." + getattr(t, "__name__", str(t))] += 1
    return dict(sorted(counts.items()))


def one(name, outdir, kinds, values):
    from safetensors.torch import save_file
    info = {"name": name}
    path = os.path.join(outdir, name)
    torch.manual_seed(sum(map(ord, name)))
    start = time.time()
    try:
        made = MODELS[name]()
        model, args = made[0].eval(), made[1]
        dims = made[2] if len(made) > 2 else None
        model.requires_grad_(False)
        settle_batch_norms(model, args)
        tensors = {}
        for i, t in enumerate(flatten(args)):
            tensors[f"input.{i}"] = t.detach().clone().contiguous()
        info["make_s"] = round(time.time() - start, 2)
        start = time.time()
        with torch.no_grad():
            ep = torch.export.export(model, args, dynamic_shapes=dims)
        info["export_s"] = round(time.time() - start, 2)
        if "plain" in kinds:
            torch.export.save(ep, path + ".pt2")
            info["plain"] = operators(ep)
        if "core" in kinds:
            start = time.time()
            try:
                core = ep.run_decompositions()
            except Exception as e:
                info["core_error"] = f"{type(e).__name__}: {e}"[:2000]
            else:
                info["core_s"] = round(time.time() - start, 2)
                info["core"] = operators(core)
                torch.export.save(core, path + ".core.pt2")
        # Eager runs come last: they write buffers, which all exported programs share with the module, and inputs.
        def run(prefix, args):
            with torch.no_grad():
                out = flatten(model(*args))
            for i, t in enumerate(out):
                tensors[f"{prefix}.{i}"] = (t if isinstance(t, torch.Tensor) else torch.tensor(t)).detach().clone().contiguous()
            return len(out)
        again = copy.deepcopy(args)
        n = run("output", args)
        run("second", again)       # a second call with the first inputs: equal unless buffers were written
        if all(torch.equal(tensors[f"output.{i}"], tensors[f"second.{i}"]) for i in range(n)):
            for i in range(n):
                del tensors[f"second.{i}"]
        info["finite"] = all(bool(torch.isfinite(t).all()) for t in tensors.values() if t.is_floating_point())
        info["spread"] = [float(t.float().std()) if t.numel() > 1 else 0.0 for k, t in tensors.items() if k.startswith("output")]
        if values and dims is not None:
            args = with_other_sizes(args, dims)
            others = {f"input.{i}": t.detach().clone() for i, t in enumerate(args)}
            with torch.no_grad():
                others.update({f"output.{i}": t.contiguous() for i, t in enumerate(flatten(model(*args)))})
            save_file(others, path + ".other.safetensors")
        if values:
            save_file(tensors, path + ".expected.safetensors")
    except BaseException as e:
        info["error"] = f"{type(e).__name__}: {e}"[:2000]
        info["trace"] = traceback.format_exc()[-3000:]
        if isinstance(e, KeyboardInterrupt):
            raise
    with open(path + ".json", "w") as f:
        json.dump(info, f, indent=1)
    if "core_error" in info:
        print(f"{name:40} no Core ATen: {info['core_error'].splitlines()[0][:150]}", flush=True)
    print(f"{name:40} {'FAILED ' + info['error'].splitlines()[0][:150] if 'error' in info else 'ok'} "
          f"export {info.get('export_s', '-')} s, core {info.get('core_s', '-')} s, {len(info.get('plain', []))} / {len(info.get('core', []))} operators",
          flush=True)
    return info


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("outdir"); p.add_argument("--list"); p.add_argument("--kind", default="plain,core")
    p.add_argument("--names"); p.add_argument("--no-values", action="store_true")
    a = p.parse_args()
    os.makedirs(a.outdir, exist_ok=True)
    if a.names:
        names = a.names.split(",")
    elif a.list:
        names = [l.split("#")[0].strip() for l in open(a.list)]
        names = [n for n in names if n]
    else:
        names = list(MODELS)
    torch.set_num_threads(2)
    failed = [i["name"] for i in (one(n, a.outdir, a.kind.split(","), not a.no_values) for n in names) if "error" in i]
    print(f"{len(names) - len(failed)} of {len(names)} exported; failed: {failed}")


if __name__ == "__main__":
    main()
